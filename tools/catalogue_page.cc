#include "tools/catalogue_page.h"

#include <fmt/format.h>

#include "impl/ops/catalogue.h"
#include "impl/promotion/promotion.h"

namespace upcast::tools {
namespace {

constexpr std::string_view kHead =
    R"(# The catalogue

Every op that is implemented, by family: made by `upcast list ops --markdown`, and a test compares.

- *callables*: the functional form of each overload, then `_` for its in-place and `out` for its
  out= form.
- *promotion*: `upcast list kinds` says what each kind is.
- *dtypes*: common dtypes that have a kernel; none where the op is a composition of others.
- *accuracy*: error bounds in ulp at float32, ours + LibTorch's scalar paths (docs/numerics.md).
)";

std::string dtypes_of(DTypeSet set) {
  std::string text;
  for (int code = 0; code < kDTypeCount; ++code) {
    const DType dtype = dtype_from_code(code);
    if (set.contains(dtype))
      text += (text.empty() ? "" : " ") + std::string(info(dtype).short_name);
  }
  return text;
}

std::string callables_of(const Op& op) {
  std::string text;
  for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload) {
    const std::string_view functional = op.callable(overload, Form::kFunctional);
    const bool in_place = !op.callable(overload, Form::kInPlace).empty();
    const bool out = !op.callable(overload, Form::kOut).empty();
    text += (text.empty() ? "" : ", ") + std::string(functional) + (in_place ? " `_`" : "") +
            (out ? " `out`" : "");
  }
  return text;
}

std::string accuracy_of(const Op& op) {
  const Bounds& bounds = op.spec->accuracy.float32;
  if (bounds.ours == 0 && bounds.libtorch == 0) return "exact";
  return fmt::format("{:g} + {:g}", bounds.ours, bounds.libtorch);
}

/// A text for a cell of a Markdown table. Each '|' is escaped, because it would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

}  // namespace

std::string catalogue_page(const std::function<bool(const Op&)>& wanted) {
  std::string page(kHead);
  std::string_view family;
  for (const Op& op : catalogue()) {
    if (!wanted(op)) continue;
    if (op.family != family) {
      family = op.family;
      page += fmt::format(
          "\n## {}\n\n| op | callables | promotion | dtypes | accuracy | note |\n"
          "| --- | --- | --- | --- | --- | --- |\n",
          family);
    }
    page += fmt::format("| {} | {} | {} | {} | {} | {} |\n", op.spec->name, callables_of(op),
                        info(op.spec->promotion).name, dtypes_of(op.spec->dtypes), accuracy_of(op),
                        cell(op.spec->note));
  }
  return page;
}

}  // namespace upcast::tools
