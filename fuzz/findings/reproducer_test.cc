// Tests the text of reproducers. The ctest tests findings.* build and run them, and check that they
// show their differences.
#include "fuzz/findings/reproducer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/known_differences.h"
#include "cases/notation.h"
#include "cases/visible.h"
#include "fuzz/findings/prelude.h"
#include "impl/core/error.h"
#include "oracle/subject.h"

namespace upcast::fuzz {
namespace {

Reproducible refused(std::string_view line) {
  Reproducible made{.name = "finding", .c = parse_case(line), .code = VerdictCode::kDifferRefusal};
  make_subject("impl:cpu")->answer(made.c, made.right.answer);
  made.wrong.answer = {.tag = Answer::Tag::kRefusal, .detail = "no \"kernel\"\nof it"};
  made.libtorch = "2.15.0";
  made.truth = "it is 3";
  return made;
}

/// Expects that the C++ program and the Python program for a finding contain the given texts.
void expect_both(const Reproducible& made, const std::string& cpp, const std::string& python) {
  const std::string cpp_text = cpp_reproducer(made);
  const std::string python_text = python_reproducer(made);
  EXPECT_NE(cpp_text.find(cpp), cpp_text.npos) << cpp << "\n"
                                               << cpp_text.substr(cpp_text.size() / 2);
  EXPECT_NE(python_text.find(python), python_text.npos) << python << "\n" << python_text;
}

TEST(Reproducer, IsStandAlone) {
  const Reproducible made = refused("neg(int8[1]{-3})");
  for (const std::string& text : {cpp_reproducer(made), python_reproducer(made)}) {
    EXPECT_EQ(text.find("upcast/"), text.npos);
    EXPECT_EQ(text.find("#include \""), text.npos);
    EXPECT_NE(text.find("Exit code: 1"), text.npos);
    EXPECT_NE(text.find("truth     it is 3"), text.npos);
    EXPECT_NE(text.find("no \"kernel\" of it"), text.npos) << "one line a comment";
  }
  EXPECT_NE(cpp_reproducer(made).find("g++ -std=c++20"), std::string::npos);
}

TEST(Reproducer, WritesValuesAsBitsAndLayouts) {
  expect_both(
      refused("neg(float16[2,3]:permuted{1,2,3,4,5,6})"),
      R"(laid_out(at::ScalarType::Half, at::kCPU, Ints{2, 3}, Ints{1, 2}, 0, 6, "003c0044004000450042)"
      R"(0046"))",
      R"(laid_out(torch.float16, "cpu", [2, 3], [1, 2], 0, 6, "003c00440040004500420046"))");
  expect_both(refused("neg(float64[2]:strides(3)+offset(1){nan,-0.0})"),
              "Ints{2}, Ints{3}, 1, 5, \"", "[2], [3], 1, 5, \"");
  expect_both(refused("neg(bcomplex32[1]{bits:0x12345678})"),
              "tensor(at::ScalarType::BComplex32, Ints{1}, \"78563412\"",
              "tensor(torch.bcomplex32, [1], \"78563412\"");
}

TEST(Reproducer, RepeatsElementsThatAreAlike) {
  expect_both(refused("neg(int8[9]{1,1,1,1,1,1,1,1,1})"), "Ints{9}, \"01\")", "[9], \"01\")");
}

TEST(Reproducer, MakesOneTensorOfWhatSharesStorage) {
  expect_both(refused("add_.Tensor(float32[2], float32[2]:shares(0))"),
              "const at::Tensor other = self;", "other = self\n");
  expect_both(refused("add.out(float32[4], float32[2], out=float32[2]:strides(2)+shares(0))"),
              "self.as_strided({2}, {2}, 0)", "self.as_strided([2], [2], 0)");
}

TEST(Reproducer, PassesNumbersAttributesAndSettings) {
  expect_both(
      refused("add.Tensor(int32[1], 2.5, alpha=3) @default=float64"),
      R"({{"self", self}, {"other", number(float64(0x4004000000000000))}, {"alpha", at::Scalar(std::int64_t{3})}})",
      "aten.add.Tensor(self=self, other=2.5, alpha=3)");
  expect_both(refused("add.Tensor(int32[1], True) @default=float64"),
              "set_default_dtype(c10::scalarTypeToTypeMeta(at::ScalarType::Double))",
              "torch.set_default_dtype(torch.float64)");
  expect_both(refused("div.Tensor_mode(int32[1], 1+2j, rounding_mode=\"floor\")"),
              "c10::complex<double>(float64(0x3ff0000000000000), float64(0x4000000000000000))",
              "complex(1.0, 2.0)");
  expect_both(refused("add.Tensor(float32[1], inf)"), "float64(0x7ff0000000000000)",
              "float64(0x7ff0000000000000)");
  expect_both(refused("clamp.Tensor(float32[1], None, float32[1])"), "{\"min\", c10::IValue()}",
              "min=None");
  expect_both(refused("can_cast(float32, int8)"),
              "static_cast<std::int64_t>(at::ScalarType::Float)", "from_=torch.float32");
}

TEST(Reproducer, JudgesByTheKindOfDifference) {
  Reproducible made = refused("neg(int8[1]{-3})");
  expect_both(made, "judge_refusal(", "judge_refusal(");
  made.code = VerdictCode::kDifferDType;
  expect_both(made,
              "judge_dtype(attempt([&] { return call(\"aten::neg\", \"\", {{\"self\", self}}); }), "
              "at::ScalarType::Char)",
              "judge_dtype(attempt(lambda: aten.neg.default(self=self)), torch.int8)");
  made.code = VerdictCode::kDifferShape;
  expect_both(made, "judge_shape(", "judge_shape(");
  made.code = VerdictCode::kDifferStrides;
  expect_both(made, "judge_strides(", "judge_strides(");
  made.code = VerdictCode::kDifferValue;
  made.wrong = made.right;
  made.wrong.answer.bytes[0] = std::byte{7};
  expect_both(made, R"({{0, 0, "03", "3", "07", "7", float64(0x0000000000000000)}})",
              R"([(0, 0, "03", "3", "07", "7", 0.0)])");
  made.code = VerdictCode::kCrash;
  made.wrong.death = "crash(SIGFPE)";
  expect_both(made, "judge_survival([&] { call(",
              "judge_survival(lambda: aten.neg.default(self=self)");
}

Reproducible about(const char* side, std::string_view line) {
  Reproducible made = refused(line);
  made.callee = callee_of(parse_side(side));
  made.reference = "PyTorch 2.15.0";
  made.who_is_wrong = "mine, the subject, is wrong here: why";
  return made;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(Callee, IsWhatASidesProgramCalls) {
  const Callee plugin = callee_of(parse_side("plugin:/libmine.so?threads=4&device=meta"));
  EXPECT_EQ(plugin.kind, Callee::Kind::kPlugin);
  EXPECT_EQ(plugin.target, "/libmine.so");
  EXPECT_EQ(plugin.settings, R"({"threads":"4"})");
  EXPECT_TRUE(plugin.infers);
  EXPECT_EQ(callee_of(parse_side("process:python3 x.py")).target, "python3 x.py");
  const Callee device = callee_of(parse_side("python:torch?import=a,b.c&device=mine:1"));
  EXPECT_EQ(device.kind, Callee::Kind::kTorch);
  EXPECT_EQ(device.imports, (std::vector<std::string>{"a", "b.c"}));
  EXPECT_EQ(device.target, "mine:1");
  EXPECT_EQ(callee_of(parse_side("python:functions?module=k")).kernels, "k");
  EXPECT_EQ(callee_of(parse_side("libtorch:cpu")).kind, Callee::Kind::kLibTorch);
  EXPECT_THROW(callee_of(parse_side("impl:cpu")), UsageError);
}

TEST(Callee, IsTheSideThatIsWrong) {
  const Side mine = parse_side("plugin:./libmine.so");
  const Side ours = parse_side("impl:cpu");
  const Side libtorch = parse_side("libtorch:cpu");
  EXPECT_EQ(suspect(mine, libtorch, Role::kOracle), Role::kOracle);
  EXPECT_EQ(suspect(ours, libtorch, Role::kSubject), Role::kSubject) << "and has no program";
  for (const std::optional<Role> open : {std::optional<Role>{}, std::optional(Role::kBoth)}) {
    EXPECT_EQ(suspect(mine, libtorch, open), Role::kSubject);
    EXPECT_EQ(suspect(ours, libtorch, open), Role::kOracle);
    EXPECT_EQ(suspect(libtorch, ours, open), Role::kSubject);
    EXPECT_EQ(suspect(parse_side("libtorch:cpu?capability=native"), libtorch, open),
              Role::kSubject);
  }
}

TEST(Reproducer, OfAPlugInCallsIt) {
  Reproducible made = about("plugin:/libmine.so",
                            "div.out_mode(int32[2]{1,2}, 2.5, rounding_mode=\"trunc\", "
                            "out=float32[2]:strides(2)+offset(1))");
  const std::string text = cpp_reproducer(made);
  for (const char* part :
       {"load(\"/libmine.so\", \"\")", "Storage self_storage = storage(8, \"0100000002000000\")",
        "number(\"other\", float64(0x4004000000000000), UPCAST_WRAPPED)",
        "text(\"rounding_mode\", \"trunc\")", "op.form = UPCAST_OUT;", "call.out = &out_argument;",
        "out_tensor(type(\"float32\"), {2}, {2}, 1, &out_storage)",
        "// mine, the subject, is wrong here: why.", "PyTorch 2.15.0 gives float32[2]",
        "#include <upcast/oracle/plugin/plugin.h>"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text.substr(text.find("int reproduce"));
  EXPECT_FALSE(holds(text, "ATen")) << "it needs no LibTorch";
  EXPECT_FALSE(holds(text, "expected: "));
  EXPECT_FALSE(holds(text, "//@"));
  EXPECT_NE(why_not_in_python(made.callee), "");
}

TEST(Reproducer, OfAProcessAsksIt) {
  const Reproducible made = about("process:python3 'a b.py'", "add_.Tensor(int32[2]{1,2}, 3)");
  const std::string text = python_reproducer(made);
  for (const char* part :
       {R"("callable":"add_.Tensor","form":"in_place")", R"("hex":"0100000002000000")",
        R"({"cmd":"configure","default_dtype":"float32"})", "COMMAND = \"python3 'a b.py'\"",
        R"({"dtype": "int32", "shape": [2], "strides": [1], "elements": []})",
        "\"PyTorch 2.15.0\", \"int32[2]{4,5}\""})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  EXPECT_FALSE(holds(text, "import torch"));
  EXPECT_NE(why_not_in_cpp(made.callee), "");
}

TEST(Reproducer, OfADeviceOfTorchImportsItsModuleAndLiesThere) {
  const std::string text = python_reproducer(about("python:torch?import=my_backend&device=mine",
                                                   "add.Tensor(int32[2]{1,2}, float32[]{3})"));
  for (const char* part :
       {"start_on(\"mine\", [\"my_backend\", ], \"PyTorch 2.15.0 gives float32[2]{4,5}\")",
        "self = tensor(torch.int32, [2], \"0100000002000000\").to(\"mine\")",
        "other = tensor(torch.float32, [], \"00004040\").to(\"mine\")"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
}

TEST(Reproducer, OfKernelsAsFunctionsCallsThem) {
  const std::string text = python_reproducer(
      about("python:functions?module=kernels", "add.out(int32[2], 3, alpha=2, out=int32[2])"));
  EXPECT_TRUE(holds(text, "kernel(\"kernels\", \"add.out\")(self, 3, alpha=2, out=out)")) << text;
  EXPECT_TRUE(holds(text, "def kernel(module, name):"));
}

TEST(Reproducer, TextFromOutsideStaysInItsCommentOrLiteral) {
  const std::string text = "a\n*/ #error ?\?/\x1b[31m\u202e\r \\";
  Reproducible made = about("plugin:/libmine.so", "add.Tensor(int32[2], 3)");
  made.reason = made.truth = made.witness = made.reference = text;
  made.right.answer.detail = made.wrong.answer.detail = text;
  made.callee.target = "/lib" + text + ".so";
  for (const std::string& program : {cpp_reproducer(made), [&made] {
                                       made.callee.kind = Callee::Kind::kProcess;
                                       return python_reproducer(made);
                                     }()}) {
    EXPECT_EQ(first_hidden(program, "\n"), std::string::npos);
    EXPECT_FALSE(holds(program, "\n*/")) << program.substr(0, 2000);
    EXPECT_FALSE(holds(program, "\n #error"));
    for (std::size_t at = program.find("\n"); at != program.npos; at = program.find("\n", at + 1)) {
      const std::size_t start = at == 0 ? 0 : program.rfind('\n', at - 1) + 1;
      const std::string line = program.substr(start, at - start);
      EXPECT_FALSE(line.starts_with("//") && line.ends_with("\\") &&
                   line.find("because") != line.npos)
          << line;
    }
  }
}

TEST(Quoted, EndsEachEscape) {
  EXPECT_EQ(internal::quoted("a\"\\b"), "\"a\\\"\\\\b\"");
  EXPECT_EQ(internal::quoted("\x1b"
                             "1\n\xff"
                             "f\u202e"),
            "\"\\0331\\012\\377f\\342\\200\\256\"");
}

TEST(PreludeFor, TakesWhatIsUsedAndWhatThatUses) {
  constexpr std::string_view kPrelude =
      "head\n#@ a(\ndef a(): b()\n#@ b(\ndef b(): 1\n#@ c(\ndef c(): a()\n#@\ntail\n";
  EXPECT_EQ(internal::prelude_for("", kPrelude, "#@"), "head\ntail\n");
  EXPECT_EQ(internal::prelude_for("b()", kPrelude, "#@"), "head\ndef b(): 1\ntail\n");
  EXPECT_EQ(internal::prelude_for("(a())", kPrelude, "#@"),
            "head\ndef a(): b()\ndef b(): 1\ntail\n");
  EXPECT_EQ(internal::prelude_for("no_c() and a call", kPrelude, "#@"), "head\ntail\n");
  EXPECT_EQ(internal::whole_prelude(kPrelude, "#@"),
            "head\ndef a(): b()\ndef b(): 1\ndef c(): a()\ntail\n");
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Reproducer, OfOneCaseIsShort) {
  Reproducible made = refused("neg(int8[1]{-3})");
  const std::vector<Reproducible> all{made};
  const std::size_t whole_cpp = lines_of(cpp_reproducers(all));
  const std::size_t whole_python = lines_of(python_reproducers(all));
  made.code = VerdictCode::kDifferDType;
  EXPECT_LE(lines_of(python_reproducer(made)), 85U);
  EXPECT_LE(2 * lines_of(python_reproducer(made)), whole_python);
  EXPECT_LE(5 * lines_of(cpp_reproducer(made)), 4 * whole_cpp);
  made.code = VerdictCode::kDifferValue;
  made.wrong = made.right;
  made.wrong.answer.bytes[0] = std::byte{7};
  EXPECT_LE(lines_of(python_reproducer(made)), 120U);
  for (const std::string& text : {python_reproducer(made), cpp_reproducer(made)}) {
    EXPECT_EQ(text.find("judge_survival"), text.npos);
    EXPECT_EQ(text.find("laid_out"), text.npos);
    EXPECT_EQ(text.find("@"), text.npos) << "no mark is left";
    EXPECT_LT(text.find(" neg(int8[1]{-3})\n"), 600U) << "what it is about comes first";
  }
  const auto whole = python_reproducers(all);
  EXPECT_NE(whole.find("judge_survival"), whole.npos) << "control";
}

TEST(WhyNotInPython, OfNumbersInTensorSlotsThatNoOverloadTakes) {
  for (const char* line :
       {"rad2deg(2.5)", "float_power.Tensor_Tensor(2.5, 2.5)", "float_power.Scalar(2.5, 2.5)",
        "eq.Tensor(2.5, float32[1])", "clamp.Tensor(float32[3], 0.5, float32[3])"})
    EXPECT_NE(why_not_in_python(parse_case(line)), "") << line;
  for (const char* line :
       {"rad2deg(float32[1])", "add.Tensor(2.5, 2.5)", "sub_.Tensor(float32[1], 2.5)",
        "pow.Tensor_Tensor(float32[1], 2.5)", "pow.Tensor_Tensor(2.5, float32[1])",
        "eq.Tensor(float32[1], 2.5)", "clamp(float32[3], 0.5, None)",
        "round.decimals(float32[3], decimals=2)"})
    EXPECT_EQ(why_not_in_python(parse_case(line)), "") << line;
}

// An entry's reason why Python does not show the difference is written by hand. Here it is compared
// with why_not_in_python(); the test findings.python runs the entries' programs.
TEST(WhyNotInPython, OfADeclaredDifferenceIsWhatItsEntrySays) {
  int unreachable = 0;
  for (const KnownDifference& entry :
       load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml")) {
    const std::string why = why_not_in_python(parse_case(entry.case_line));
    const bool says_so = entry.python.find("cannot be passed as a tensor") != std::string::npos;
    EXPECT_EQ(why, says_so ? entry.python : "") << entry.id;
    unreachable += says_so;
  }
  EXPECT_GE(unreachable, 3);
}

TEST(Reproducers, StandInOneProgramByName) {
  const std::vector<Reproducible> all{refused("neg(int8[1]{-3})"), refused("abs(int8[1]{-3})")};
  std::vector<Reproducible> named = all;
  named[0].name = "first";
  named[1].name = "second";
  for (const std::string& text : {cpp_reproducers(named), python_reproducers(named)}) {
    EXPECT_NE(text.find("reproduce_first"), text.npos);
    EXPECT_NE(text.find("reproduce_second"), text.npos);
    EXPECT_EQ(text.find("Exit code: 1"), text.rfind("Exit code: 1"));
  }
}

}  // namespace
}  // namespace upcast::fuzz
