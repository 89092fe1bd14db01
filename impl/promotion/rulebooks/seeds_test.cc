// Tests the worked examples of the seeds (docs/seeds.md), and how their documents differ from
// today's systems.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "impl/promotion/rulebooks/testing/asking.h"

namespace upcast::rulebooks::testing {
namespace {

struct Example {
  const char* text;
  const char* op;
  Operand a, b;
  DType result;
};

const Example kSeed000[] = {
    {"int_tensor + 5", "add", array(kInt32), number(5), kInt32},
    {"int_tensor + 5.5", "add", array(kInt32), number(5.5), kFloat32},
    {"int_tensor / 5", "div", array(kInt32), number(5), kFloat32},
    {"int_tensor + long_zerodim", "add", array(kInt32), zero_dim(kInt64), kInt32},
    {"long_tensor + int_tensor", "add", array(kInt64), array(kInt32), kInt64},
    {"bool_tensor + long_tensor", "add", array(kBool), array(kInt64), kInt64},
    {"bool_tensor + uint_tensor", "add", array(kBool), array(kUInt8), kUInt8},
    {"float_tensor + double_tensor", "add", array(kFloat32), array(kFloat64), kFloat64},
    {"complex_float + complex_double", "add", array(kComplex64), array(kComplex128), kComplex128},
    {"bool_tensor + int_tensor", "add", array(kBool), array(kInt32), kInt32},
    {"torch.add(long_tensor, float_tensor)", "add", array(kInt64), array(kFloat32), kFloat32},
};

const Example kSeed003[] = {
    {"randn(3) * 5", "mul", array(kFloat32), number(5), kFloat32},
    {"uint8 + 1", "add", array(kUInt8), number(1), kUInt8},
    {"uint8 + 1000", "add", array(kUInt8), number(1000), kUInt8},
    {"uint8 + 5.5", "add", array(kUInt8), number(5.5), kFloat32},
    {"uint8 + tensor(5.5, double)", "add", array(kUInt8), zero_dim(kFloat64), kFloat64},
    {"randn(3) + tensor(5.5, double)", "add", array(kFloat32), zero_dim(kFloat64), kFloat32},
    {"tensor(5.5, float16) + 2.2", "add", zero_dim(kFloat16), number(2.2), kFloat16},
    {"tensor(5.5, float16) + 100000", "add", zero_dim(kFloat16), number(100000), kFloat16},
    {"tensor(5.5, float16) + tensor(1e5)", "add", zero_dim(kFloat16), zero_dim(kFloat32), kFloat32},
};

TEST(Seed000, ItsExamplesAreTodaysPyTorch) {
  for (const Example& each : kSeed000)
    EXPECT_EQ(asked(kPyTorch, each.op, {each.a, each.b}), is(each.result)) << each.text;
}

TEST(Seed003, ItsExamplesFollowTheProposalAndTodaysPyTorch) {
  for (const Example& each : kSeed003) {
    EXPECT_EQ(asked(kProposal9515, each.op, {each.a, each.b}), is(each.result)) << each.text;
    EXPECT_EQ(asked(kPyTorch, each.op, {each.a, each.b}), is(each.result)) << each.text;
  }
}

TEST(Seed003, SaysOfEachOperandWhetherItParticipates) {
  const std::array<Operand, 3> operands{array(kInt64), zero_dim(kFloat32), number(5.5)};
  const Question question{"result_type", operands};
  EXPECT_EQ(ask(kProposal9515, question), is(kFloat32));
  const auto part = [&](std::size_t at) { return kProposal9515.part(question, at); };
  EXPECT_EQ(part(0).priority, 3);
  EXPECT_EQ(part(0).category, "integer");
  EXPECT_TRUE(part(1).participates) << "a higher category than what is above it";
  EXPECT_FALSE(part(2).participates) << "no higher category than the zero-dim tensor's";
  EXPECT_EQ(part(2).enters_as, kFloat32);
}

TEST(Seed003, ItsAppendixIsNumpyOneAndNotNumpyTwo) {
  EXPECT_EQ(asked(kNumpyLegacy, "add", {zero_dim(kFloat32, 4), number(1)}), is(kFloat64));
  EXPECT_EQ(asked(kNumpyLegacy, "add", {zero_dim(kUInt8, 0), number(1)}), is(kInt64));
  EXPECT_EQ(asked(kNep50, "add", {zero_dim(kFloat32, 4), number(1)}), is(kFloat32));
  EXPECT_EQ(asked(kNep50, "add", {zero_dim(kUInt8, 0), number(1)}), is(kUInt8));
}

TEST(Seed003, DiffersFromPyTorchInFifteenPairsAndAllOfThemAreBool) {
  std::vector<Operand> operands{number(true), number(1), number(1.5)};
  for (const DType dtype :
       {kBool, kUInt8, kInt8, kInt16, kInt32, kInt64, kFloat16, kBFloat16, kFloat32, kFloat64}) {
    operands.push_back(array(dtype));
    operands.push_back(zero_dim(dtype));
  }
  int pairs = 0;
  int differ = 0;
  for (const Operand& a : operands)
    for (const Operand& b : operands) {
      ++pairs;
      if (asked(kProposal9515, "result_type", {a, b}) == asked(kPyTorch, "result_type", {a, b}))
        continue;
      ++differ;
      EXPECT_TRUE(is_bool(a.dtype) || is_bool(b.dtype));
    }
  EXPECT_EQ(pairs, 529);
  EXPECT_EQ(differ, 15);
}

TEST(Seed002, ItsSamplesFollowTheDocumentAndPaddleThree) {
  for (const RuleBook* book : {&kPaddleDocument, &kPaddle}) {
    EXPECT_EQ(asked(*book, "add", {array(kFloat16), array(kFloat32)}), is(kFloat32)) << book->name;
    EXPECT_EQ(asked(*book, "add", {array(kBFloat16), array(kFloat64)}), is(kFloat64));
    EXPECT_EQ(asked(*book, "add", {array(kComplex128), array(kComplex64)}), is(kComplex128));
    EXPECT_EQ(asked(*book, "add", {array(kFloat16), number(1.0)}), is(kFloat16));
    EXPECT_EQ(asked(*book, "add", {number(1.0), array(kInt64)}), is(kFloat32));
    EXPECT_EQ(asked(*book, "add", {array(kInt64), array(kFloat32)}), kRefused);
    EXPECT_EQ(asked(*book, "div", {array(kInt32), number(1)}), is(kFloat32));
    EXPECT_EQ(asked(*book, "eq", {array(kFloat32), array(kFloat16)}), is(kBool));
  }
}

TEST(Seed002, ItsMisprintsStandAsPrinted) {
  const auto add = [](const RuleBook& book, DType a, DType b) {
    return asked(book, "add", {array(a), array(b)});
  };
  EXPECT_EQ(add(kPaddleDocument, kComplex64, kFloat64), is(kComplex64)) << "P1";
  EXPECT_EQ(add(kPaddle, kComplex64, kFloat64), is(kComplex128));
  EXPECT_EQ(add(kPaddleDocument, kComplex64, kInt64), is(kComplex128)) << "P2";
  EXPECT_EQ(add(kPaddle, kComplex64, kInt64), is(kComplex64));
  EXPECT_EQ(add(kPaddleDocument, kInt32, kInt32), kRefused) << "P3";
  EXPECT_EQ(add(kPaddle, kInt32, kInt32), is(kInt32));
}

TEST(Seed002, ThirtyTwoNamesInFiveKindsOfRows) {
  std::size_t names = 0;
  for (const paddle_document::Api& api : paddle_document::kApis)
    names += 1 + std::count(api.names.begin(), api.names.end(), ' ');
  EXPECT_EQ(names, 32U) << "31 of the list, and smooth_l1_loss, the public name of huber_loss";
}

TEST(Seed002, AZeroDimOperandLiftsPaddlesRefusal) {
  EXPECT_EQ(asked(kPaddle, "add", {array(kInt8), zero_dim(kFloat32)}), is(kFloat32));
  EXPECT_EQ(asked(kPaddle, "add", {array(kInt8), zero_dim(kInt64)}), is(kInt8));
  EXPECT_EQ(asked(kPaddle, "floor_divide", {array(kInt8), zero_dim(kInt64)}), is(kInt64)) << "P5";
  EXPECT_EQ(asked(kPaddle, "maximum", {array(kInt8), zero_dim(kInt64)}), kRefused);
}

TEST(Seed002, VersionTwoDoesNotFollowItsDocument) {
  EXPECT_EQ(asked(kPaddle26, "add", {array(kInt64), array(kFloat32)}), is(kInt64)) << "P22";
  EXPECT_EQ(asked(kPaddle26, "add", {array(kInt64), array(kFloat32)}, Form::kFunction), kRefused);
  EXPECT_EQ(asked(kPaddle26, "add", {array(kFloat32), array(kFloat64)}), is(kFloat64));
  EXPECT_EQ(asked(kPaddle26, "div", {array(kFloat32), array(kFloat64)}), is(kFloat32));
}

TEST(Seed004, TheProposalForUnaryFunctions) {
  EXPECT_EQ(asked(kThesis, "sin", {array(kInt64)}), is(kFloat32));
  EXPECT_EQ(asked(kThesis, "sin", {array(kInt64)}, Form::kFunction, kFloat64), is(kFloat64));
  EXPECT_EQ(asked(kThesis, "sin", {array(kFloat16)}), is(kFloat16));
  EXPECT_EQ(asked(kThesis, "sin", {array(kInt64)}, Form::kInPlace), kRefused) << "figure 3.6";
  const std::array<Operand, 1> input{array(kInt8)};
  for (const Form form : {Form::kOut, Form::kDTypeArgument}) {
    EXPECT_EQ(ask(kThesis, {"sin", input, form, kFloat32, kFloat64}), is(kFloat64));
    EXPECT_EQ(ask(kThesis, {"sin", input, form, kFloat32, kInt64}), kRefused);
  }
  for (const RuleBook* book : kRuleBooks)
    EXPECT_EQ(ask(*book, {"sin", input, Form::kDTypeArgument, kFloat32, kFloat64}) == kOutside,
              book != &kThesis)
        << book->name;
  EXPECT_EQ(asked(kThesis, "add", {array(kInt8), array(kInt8)}), kOutside);
}

TEST(Seed004, TheShapeFormulaKeepsTheDimsAndMakesIntegersFloating) {
  using thesis::shape_formula, thesis::ShapeFact;
  EXPECT_EQ(shape_formula("sin", {kInt64, 3}, kFloat64), (ShapeFact{kFloat64, 3}));
  EXPECT_EQ(shape_formula("sin", {kComplex64, 0}, kFloat64), (ShapeFact{kComplex64, 0}));
  EXPECT_EQ(shape_formula("neg", {kInt64, 3}, kFloat64), std::nullopt);

  const std::array<Operand, 1> plane{Operand{kInt64, Rank::kDim, 1, 2}};
  EXPECT_EQ(ask(kThesis, {"sin", plane}).dims, 2) << "the rule book answers with the dims";
  EXPECT_EQ(ask(kThesis, {"sin", plane, Form::kInPlace}).dims, -1);

  std::istringstream names{std::string(thesis::kFloatingFunctions)};
  std::map<std::string, int> registered;
  std::set<std::string> otherwise_today;
  for (std::string function; names >> function; ++registered[function])
    for (const DType dtype : {kBool, kUInt8, kInt64, kFloat16, kFloat64}) {
      const Reply today = asked(kPyTorch, function, {array(dtype)});
      if (today != is(shape_formula(function, {dtype, 1}, kFloat32)->dtype))
        otherwise_today.insert(function);
    }
  EXPECT_EQ(registered.size(), 28U);
  EXPECT_EQ(registered["tanh"], 2) << "listed twice";
  // Today ceil, floor and trunc keep an integral dtype, and frac refuses it.
  EXPECT_EQ(otherwise_today, (std::set<std::string>{"ceil", "floor", "frac", "trunc"}));
}

TEST(Seed004, FigureThreeSevenIsShiftedInItsBoolColumn) {
  const auto printed = [](DType a, DType b) {
    return asked(kThesis, "promote_types", {array(a), array(b)});
  };
  EXPECT_EQ(printed(kInt8, kInt64), is(kInt64));
  EXPECT_EQ(printed(kInt16, kBool), is(kInt8)) << "as printed; the table of its day had int16";
  EXPECT_EQ(printed(kInt32, kComplex32), kRefused);
}

TEST(Seed004, FigureThreeSevenIsReadWhereALostCellCannotMatter) {
  const auto printed = [](DType a, DType b) {
    return asked(kThesis, "promote_types", {array(a), array(b)});
  };
  EXPECT_EQ(printed(kFloat32, kInt8), is(kFloat32)) << "float32 left and right of it";
  EXPECT_EQ(printed(kInt64, kInt64), kOutside) << "int64 or float16";
  EXPECT_EQ(printed(kFloat16, kBFloat16), kRefused);
  EXPECT_EQ(printed(kBFloat16, kBFloat16), kOutside) << "13 cells are lost";
  int rows_that_lack_one = 0;
  for (std::size_t row = 0; row < thesis::kPrintedRows.size(); ++row) {
    const std::string_view line = thesis::kPrintedRows[row];
    const std::string_view cells = thesis::cells_of(line);
    EXPECT_NE(line.find("row " + std::string(thesis::kColumns[row].text)), line.npos);
    const std::size_t missing = 16 - thesis::cell_count(cells);
    rows_that_lack_one += missing == 1;
    if (missing != 0) {
      EXPECT_NE(line.find("lacks " + std::to_string(missing) + " of 16"), line.npos) << line;
    }
    for (std::size_t at = 0; at < thesis::cell_count(cells); ++at) {
      const std::string_view cell = thesis::cell(cells, at);
      EXPECT_TRUE(cell == "ud" || std::any_of(thesis::kColumns.begin(), thesis::kColumns.end(),
                                              [&](const auto& each) { return each.text == cell; }))
          << line;
    }
  }
  EXPECT_EQ(rows_that_lack_one, 5);
}

TEST(Seed004, TheStrategiesFindTheDTypesOfAnOutput) {
  const auto strategy = [](std::string_view name, std::initializer_list<Operand> inputs,
                           DType out = kUndefined) {
    const Form form = out == kUndefined ? Form::kFunction : Form::kOut;
    return ask(kThesis, {name, {inputs.begin(), inputs.size()}, form, kFloat32, out});
  };
  const Operand whole = array(kInt64);
  const Operand real = array(kFloat32);
  EXPECT_EQ(strategy("PROMOTE", {whole, real}), is(kFloat32));
  EXPECT_EQ(strategy("PROMOTE", {whole}, kFloat64), is(kFloat64)) << "figure 3.1, by the output";
  EXPECT_EQ(strategy("PROMOTE_INPUTS", {whole, real}, kBool), is(kBool));
  const Reply missing = strategy("PROMOTE_INPUTS", {whole, real});
  EXPECT_EQ(missing, kRefused);
  EXPECT_EQ(missing.rule,
            "unable to compute and promote common dtype based only on inputs if there are missing "
            "dtypes for outputs");
  EXPECT_EQ(strategy("CHECK", {whole, whole}), is(kInt64));
  EXPECT_EQ(strategy("CHECK", {whole, real}), kRefused);
  EXPECT_EQ(strategy("CHECK", {whole, whole}, kFloat32), kRefused);
  EXPECT_EQ(strategy("NONE", {whole, real}, kInt8), is(kInt8));
  EXPECT_EQ(strategy("NONE", {whole, real}), kOutside);

  const std::array<Operand, 2> inputs{whole, real};
  const Question promoting{"PROMOTE_INPUTS", inputs, Form::kOut, kFloat32, kBool};
  EXPECT_EQ(kThesis.part(promoting, 0).enters_as, kFloat32) << "an input's target dtype";
  EXPECT_EQ(kThesis.part({"CHECK", inputs}, 0).enters_as, kInt64) << "it promotes nothing";
}

TEST(Seed004, OnnxCastsIntegersFirst) {
  const std::array<Operand, 1> integer{array(kInt64)};
  const std::array<Operand, 1> floating{array(kFloat32)};
  Question question{"onnx.erf", integer};
  EXPECT_EQ(ask(kThesisOnnx, question), kRefused);
  question.operands = floating;
  EXPECT_EQ(ask(kThesisOnnx, question), is(kFloat32));
  question.opset = 8;
  EXPECT_EQ(ask(kThesisOnnx, question), kRefused) << "erf is there from opset 9 on";
}

TEST(Seed004, ItsJaxCategoriesDifferFromTodaysIn32BitMode) {
  std::map<std::string, int> differ;
  for (const char* op :
       {"logical_not", "isfinite",    "isinf", "isnan", "imag",  "neg",        "abs",   "sign",
        "square",      "bitwise_not", "real",  "conj",  "round", "angle",      "exp",   "log",
        "log2",        "log10",       "expm1", "log1p", "sqrt",  "reciprocal", "sin",   "cos",
        "tan",         "acos",        "atan",  "sinh",  "cosh",  "tanh",       "floor", "ceil"})
    for (const DType dtype : {kBool, kInt8, kInt16, kInt32, kInt64}) {
      const Reply then = asked(kThesisJax, op, {array(dtype)});
      const Reply today = asked(kJaxX32, op, {array(dtype)});
      differ[op] += !(then == today);
    }
  // The declared differences of docs/rulebooks.md. C6: floor and ceil keep the dtype. C7: int64 was
  // int32. C8: bool.
  const std::map<std::string, int> declared{{"floor", 5}, {"ceil", 5}, {"real", 1}, {"conj", 1},
                                            {"round", 2}, {"neg", 1},  {"sign", 1}, {"square", 1}};
  int cells = 0;
  for (const auto& [op, count] : differ) {
    cells += count;
    EXPECT_EQ(count, declared.contains(op) ? declared.at(op) : 0) << op;
  }
  EXPECT_EQ(cells, 17);
}

}  // namespace
}  // namespace upcast::rulebooks::testing
