// Walks through a plan element by element, with operands in wide types.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "impl/core/cast.h"
#include "impl/cpu/walk.h"
#include "impl/ops/catalogue.h"
#include "oracle/truth/wide.h"

namespace upcast::truth {

/// The results of one element. The first is in the common dtype, its real part's dtype, or bool.
/// The second is frexp's exponent.
template <class Wide>
struct Results {
  Wide first{};
  int second = 0;
};

/// Where an element lies, counted in elements from an operand's first one.
struct Place {
  std::int64_t output = 0, input = 0;  // in the first output; in the first input
};

/// Loops over the elements of a plan. Wide holds the values of the plan's common dtype: Int, double
/// or Complex<double>. As in every engine, an operand is first rounded to the dtype that the plan
/// gives.
template <class Wide>
class ElementLoop {
 public:
  ElementLoop(DType common, const IteratorPlan& plan)
      : plan_(plan),
        common_(common),
        in_(plan.sizes, std::span(plan.inputs).first(plan.input_count), 0),
        out_(plan.sizes, std::span(plan.outputs).first(plan.output_count), 0) {
    if (plan.in_order) tile_ = 1;
  }

  /// Calls element(x, place) for each element of the result, and writes the Results that it
  /// returns. `x`: the values of the operands, 0 for one that is left out.
  template <class Element>
  void run(Element&& element) {
    const std::int64_t n = numel(plan_.sizes);
    for (std::int64_t done = 0; done < n;) {
      const Block block{.columns = std::min(in_.left_in_row(), tile_)};
      for (int i = 0; i < plan_.input_count; ++i) load(i, block.columns);
      const std::int64_t size = itemsize(plan_.outputs[0].dtype);
      const std::int64_t input_size = std::max(1, itemsize(plan_.inputs[0].dtype));
      const Place start{(out_.pointer(0) - plan_.outputs[0].data) / size,
                        (in_.pointer(0) - plan_.inputs[0].data) / input_size};
      const Place step{out_.strides(0).column / size, in_.strides(0).column / input_size};
      std::array<Wide, kMaxInputs> x{};
      for (std::int64_t i = 0; i < block.columns; ++i) {
        for (int operand = 0; operand < plan_.input_count; ++operand)
          x[operand] = values_[operand][i];
        const Results<Wide> results =
            element(std::span<const Wide>(x).first(plan_.input_count),
                    Place{start.output + i * step.output, start.input + i * step.input});
        first_[i] = results.first;
        if (plan_.output_count == 2)
          write_element(Int{results.second}, plan_.outputs[1].dtype,
                        out_.pointer(1) + i * out_.strides(1).column);
      }
      store(block.columns);
      in_.advance(block);
      out_.advance(block);
      done += block.columns;
    }
  }

 private:
  static constexpr std::int64_t kTile = 512;

  void load(int operand, std::int64_t n) {
    const DType dtype = plan_.inputs[operand].dtype;
    auto& values = values_[operand];
    if (dtype == DType::kUndefined) return;
    const DType middle = plan_.inputs[operand].through;
    const std::int64_t size = itemsize(middle);
    cast_loop(dtype, middle, best_capability())(in_.pointer(operand),
                                                {.column = in_.strides(operand).column},
                                                rounded_.data(), {.column = size}, {.columns = n});
    if constexpr (std::is_same_v<Wide, Int>) {
      for (std::int64_t i = 0; i < n; ++i) values[i] = read_integer(middle, &rounded_[i * size]);
    } else {
      constexpr DType kWide = std::is_same_v<Wide, double> ? DType::kFloat64 : DType::kComplex128;
      cast_loop(middle, kWide, best_capability())(rounded_.data(), {.column = size},
                                                  reinterpret_cast<std::byte*>(values.data()),
                                                  {.column = itemsize(kWide)}, {.columns = n});
    }
  }

  void store(std::int64_t n) {
    const DType dtype = plan_.outputs[0].dtype;
    std::byte* const to = out_.pointer(0);
    const std::int64_t stride = out_.strides(0).column;
    if (std::is_same_v<Wide, double> && dtype == common_ && is_floating(dtype)) {
      cast_loop(DType::kFloat64, dtype, best_capability())(
          reinterpret_cast<const std::byte*>(first_.data()), {.column = sizeof(double)}, to,
          {.column = stride}, {.columns = n});
      return;
    }
    for (std::int64_t i = 0; i < n; ++i) write_element(first_[i], dtype, to + i * stride);
  }

  const IteratorPlan& plan_;
  DType common_;
  std::int64_t tile_ = kTile;
  Walk<kMaxInputs> in_;
  Walk<kMaxOutputs> out_;
  std::array<std::array<Wide, kTile>, kMaxInputs> values_{};
  std::array<Wide, kTile> first_{};
  std::array<std::byte, kTile * 16> rounded_{};
};

}  // namespace upcast::truth
