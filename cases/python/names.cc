#include "cases/python/names.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <vector>

#include "cases/callable_index.h"
#include "cases/python/creation.h"
#include "cases/suggest.h"
#include "cases/text_cursor.h"

namespace upcast::python {
namespace {

using internal::CallableIndex;

// Prefixes that name a module. A prefix stands before a shorter one with which it begins.
constexpr std::array<std::string_view, 12> kModules{"torch.nn.functional.",
                                                    "torch.ops.aten.",
                                                    "torch.Tensor.",
                                                    "torch._C._nn.",
                                                    "torch.",
                                                    "nn.functional.",
                                                    "functional.",
                                                    "ops.aten.",
                                                    "aten.",
                                                    "Tensor.",
                                                    "F.",
                                                    "math."};
constexpr std::string_view kSpecial = "special.";
constexpr std::array<std::string_view, 12> kModuleWords{"torch",   "nn",     "functional", "ops",
                                                        "aten",    "Tensor", "F",          "math",
                                                        "special", "np",     "numpy",      "jnp"};

struct DTypeName {
  std::string_view name;
  DType dtype;
};
constexpr std::array kDTypeNames = std::to_array<DTypeName>({
    {"torch.half", DType::kFloat16},
    {"torch.float", DType::kFloat32},
    {"torch.double", DType::kFloat64},
    {"torch.short", DType::kInt16},
    {"torch.int", DType::kInt32},
    {"torch.long", DType::kInt64},
    {"torch.chalf", DType::kComplex32},
    {"torch.cfloat", DType::kComplex64},
    {"torch.cdouble", DType::kComplex128},
    // Python's own types, as PyTorch reads them where it expects a dtype
    {"float", DType::kFloat64},
    {"int", DType::kInt64},
    {"complex", DType::kComplex128},
});

constexpr std::array kConversions = std::to_array<DTypeName>({
    {"half", DType::kFloat16},
    {"bfloat16", DType::kBFloat16},
    {"float", DType::kFloat32},
    {"double", DType::kFloat64},
    {"char", DType::kInt8},
    {"byte", DType::kUInt8},
    {"short", DType::kInt16},
    {"int", DType::kInt32},
    {"long", DType::kInt64},
    {"bool", DType::kBool},
    {"chalf", DType::kComplex32},
    {"cfloat", DType::kComplex64},
    {"cdouble", DType::kComplex128},
});
constexpr std::array<std::string_view, 5> kKeepTheTensor{"detach", "contiguous", "cpu",
                                                         "requires_grad_", "resolve_conj"};

struct Constant {
  std::string_view name;
  double value;
};
constexpr std::array kConstants = std::to_array<Constant>({
    {"inf", std::numeric_limits<double>::infinity()},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
    {"pi", std::numbers::pi},
    {"e", std::numbers::e},
});

struct NameOfPython {
  std::string_view python;
  std::string_view catalogue;
};
constexpr std::array kOtherNames = std::to_array<NameOfPython>({{"logsigmoid", "log_sigmoid"}});

constexpr std::array kOperators = std::to_array<OperatorMethods>({
    {"+", "add", "add", false, "add_"},
    {"-", "sub", "rsub", false, "sub_"},
    {"*", "mul", "mul", false, "mul_"},
    {"/", "div", "mul", false, "div_", "reciprocal"},
    {"//", "floor_divide", "floor_divide", true, "floor_divide_"},
    {"%", "remainder", "remainder", true, "remainder_"},
    {"**", "pow", "pow", true, "pow_"},
    {"&", "__and__", "bitwise_and", false, "__iand__"},
    {"|", "__or__", "bitwise_or", false, "__ior__"},
    {"^", "__xor__", "bitwise_xor", false, "__ixor__"},
    {"<<", "__lshift__", "bitwise_left_shift", true, "__ilshift__"},
    {">>", "__rshift__", "bitwise_right_shift", true, "__irshift__"},
    {"==", "eq", "eq"},
    {"!=", "ne", "ne"},
    {"<", "lt", "gt"},
    {"<=", "le", "ge"},
    {">", "gt", "lt"},
    {">=", "ge", "le"},
});

// PyTorch's functions that are not elementwise, but that people ask about. An error message says
// so.
constexpr std::array<std::string_view, 44> kNotElementwise{
    "matmul",        "mm",     "bmm",    "dot",      "mv",          "einsum",       "linear",
    "conv1d",        "conv2d", "conv3d", "bilinear", "embedding",   "sum",          "mean",
    "prod",          "std",    "var",    "norm",     "amax",        "amin",         "argmax",
    "argmin",        "all",    "any",    "cumsum",   "cumprod",     "logsumexp",    "median",
    "mode",          "sort",   "topk",   "softmax",  "log_softmax", "layer_norm",   "batch_norm",
    "cross_entropy", "cat",    "stack",  "gather",   "scatter",     "index_select", "view",
    "reshape",       "dropout"};

template <class Row, std::size_t n>
const Row* find_row(const std::array<Row, n>& rows, std::string_view name,
                    std::string_view Row::*member) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.*member == name; });
  return found == rows.end() ? nullptr : &*found;
}

/// Names of the known functions as people write them after "torch.", without overloads and internal
/// ops.
std::vector<std::string> known_functions() {
  std::vector<std::string> names;
  for (const std::string_view name : CallableIndex::get().names()) {
    constexpr std::string_view kInCatalogue = "special_";
    if (name.starts_with('_')) continue;
    names.emplace_back(name);
    if (name.starts_with(kInCatalogue))
      names.back() = std::string(kSpecial) + std::string(name.substr(kInCatalogue.size()));
  }
  for (const std::string_view name : creation_names()) names.emplace_back(name);
  for (const NameOfPython& row : kOtherNames) names.emplace_back(row.python);
  return names;
}

}  // namespace

bool is_module(std::string_view word) {
  return std::find(kModuleWords.begin(), kModuleWords.end(), word) != kModuleWords.end();
}

std::string_view without_module(std::string_view dotted) {
  for (const std::string_view module : kModules)
    if (dotted.starts_with(module)) return dotted.substr(module.size());
  return dotted;
}

std::optional<DType> find_dtype(std::string_view dotted) {
  if (const DTypeName* const row = find_row(kDTypeNames, dotted, &DTypeName::name))
    return row->dtype;
  constexpr std::string_view kTorch = "torch.";
  if (dotted.starts_with(kTorch)) dotted.remove_prefix(kTorch.size());
  const int code = find_dtype_code(dotted);
  if (code >= upcast::code(DType::kUndefined)) return std::nullopt;
  return dtype_from_code(code);
}

std::optional<double> find_constant(std::string_view dotted) {
  const std::string_view name = without_module(dotted);
  // the name e alone is a variable of the user, not the constant
  if (name == dotted && name.size() == 1) return std::nullopt;
  const Constant* const row = find_row(kConstants, name, &Constant::name);
  return row == nullptr ? std::nullopt : std::optional(row->value);
}

bool is_callable(std::string_view name) {
  const CallableIndex& index = CallableIndex::get();
  if (name.starts_with(kSpecial)) {
    const std::string_view plain = name.substr(kSpecial.size());
    return !index.overloads("special_" + std::string(plain)).empty() || is_callable(plain);
  }
  return !index.overloads(name.substr(0, name.find('.'))).empty();
}

std::string_view catalogue_name(std::string_view name) {
  const NameOfPython* const row = find_row(kOtherNames, name, &NameOfPython::python);
  return row == nullptr ? name : row->catalogue;
}

std::string or_did_you_mean_value(std::string_view name) {
  std::vector<std::string_view> words(kModuleWords.begin(), kModuleWords.end());
  for (int i = 0; i < code(DType::kUndefined); ++i)
    words.push_back(upcast::name(dtype_from_code(i)));
  for (const std::string_view word : {"True", "False", "None", "inf", "nan"}) words.push_back(word);
  const std::string_view nearest = name.size() < 3 ? "" : nearest_word(name, words);
  return nearest.empty() ? "" : " (or did you mean " + std::string(nearest) + "?)";
}

void fail_unknown_function(std::size_t position, std::string_view dotted) {
  const std::string written(dotted);
  const std::string_view name = without_module(dotted);
  const std::string_view module = dotted.substr(0, dotted.size() - name.size());
  const std::string_view root = dotted.substr(0, dotted.find('.'));
  if (root == "np" || root == "numpy" || root == "jnp")
    TextCursor::fail_at(position, "'" + written +
                                      "' is not a function of PyTorch; explain --rulebook all " +
                                      "shows what other systems answer");
  if (find_dtype(dotted))
    TextCursor::fail_at(position, "'" + written +
                                      "' is a dtype, not a function; a tensor of it is " +
                                      std::string(upcast::name(*find_dtype(dotted))) + "[3]");
  if (std::find(kNotElementwise.begin(), kNotElementwise.end(), name) != kNotElementwise.end())
    TextCursor::fail_at(position, "'" + written +
                                      "' is not an elementwise op, and upcast has only " +
                                      "these ('upcast list ops' shows them)");
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (dotted.find("nn.") != dotted.npos && !last.empty() && last[0] >= 'A' && last[0] <= 'Z')
    TextCursor::fail_at(position, "'" + written + "' is a module; write its function, as in " +
                                      "F.relu(x) for nn.ReLU()(x)");
  const std::vector<std::string> known = known_functions();
  // suggestions for an in-place name are in-place names only
  std::vector<std::string_view> names;
  for (const std::string& candidate : known)
    if (candidate.ends_with('_') == name.ends_with('_')) names.push_back(candidate);
  const std::string_view nearest = nearest_word(name, names);
  TextCursor::fail_at(position, "unknown op '" + written + "'" +
                                    (nearest.empty() ? std::string()
                                                     : "; did you mean " + std::string(module) +
                                                           std::string(nearest) + "?") +
                                    " ('upcast list ops' shows them)");
}

const OperatorMethods* find_operator(std::string_view sign) {
  return find_row(kOperators, sign, &OperatorMethods::sign);
}

std::string_view unary_method(std::string_view sign) {
  if (sign == "~") return "bitwise_not";
  return sign == "-" ? "neg" : "positive";
}

std::optional<DType> conversion_of(std::string_view method) {
  const DTypeName* const row = find_row(kConversions, method, &DTypeName::name);
  return row == nullptr ? std::nullopt : std::optional(row->dtype);
}

bool keeps_tensor(std::string_view method) {
  return std::find(kKeepTheTensor.begin(), kKeepTheTensor.end(), method) != kKeepTheTensor.end();
}

}  // namespace upcast::python
