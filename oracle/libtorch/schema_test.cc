// Tests that the catalogue's schemas are those that LibTorch has registered.
#include <gtest/gtest.h>

#include "impl/ops/catalogue.h"
#include "oracle/libtorch/boxed_call.h"

namespace upcast::libtorch {
namespace {

constexpr Form kForms[] = {Form::kFunctional, Form::kInPlace, Form::kOut};

template <class F>
void for_each_callable(F f) {
  for (const Op& op : catalogue())
    for (std::size_t overload = 0; overload < op.schemas.size(); ++overload)
      for (Form form : kForms)
        if (!op.callable(static_cast<int>(overload), form).empty())
          f(op, static_cast<int>(overload), form);
}

/// Writes a default value in one way. native_functions.yaml, which the catalogue follows, and the
/// dispatcher write some defaults differently.
std::string normalised(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"=Mean", "=1"},
      {"=1.0,", "=1.,"},
      {"=1.0)", "=1.)"},
      {"='none'", "=\"none\""},
      {"=0.3333333333333333)", "=0.33333333333333331)"},
      {"=1e-05", "=1.0000000000000001e-05"}};
  for (const auto& [from, to] : kSame)
    if (const std::size_t at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
  return text;
}

/// A schema without the parameters that no case passes, because they would make the answer random.
std::string without_randomness(std::string text) {
  constexpr std::string_view kRandom = ", bool training=False, Generator? generator=None";
  if (const std::size_t at = text.find(kRandom); at != text.npos) text.erase(at, kRandom.size());
  return text;
}

TEST(Schemas, OfTheCatalogueAreRegisteredWithTheSameText) {
  int compared = 0;
  for_each_callable([&compared](const Op& op, int overload, Form form) {
    const BoxedCall call(op, overload, form);
    ASSERT_EQ(call.missing(), "");
    if (form != Form::kFunctional) return;
    EXPECT_EQ(normalised("aten::" + std::string(op.schemas[overload].text)),
              without_randomness(call.registered_schema()));
    ++compared;
  });
  EXPECT_GT(compared, 100);
}

TEST(Schemas, OfInPlaceAndOutFormsTakeTheSameParameters) {
  for_each_callable([](const Op& op, int overload, Form form) {
    const std::string registered = BoxedCall(op, overload, form).registered_schema();
    for (const Parameter& parameter : op.schemas[overload].parameters)
      EXPECT_NE(registered.find(" " + std::string(parameter.name)), registered.npos)
          << registered << " has no parameter " << parameter.name;
  });
}

TEST(Schemas, ThatLibTorchDoesNotHaveAreMissing) {
  static constexpr OpSpec spec{.name = "no_such_op",
                               .overloads = {{{"no_such_op(Tensor self) -> Tensor", "", ""}}}};
  Op op{};
  op.spec = &spec;
  op.schemas.push_back(parse_schema(spec.overloads[0].schema));
  EXPECT_EQ(BoxedCall(op, 0, Form::kFunctional).missing(),
            "no such op: LibTorch has no aten::no_such_op");
}

}  // namespace
}  // namespace upcast::libtorch
