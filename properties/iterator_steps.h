// The functions that properties of plans check: the steps of the iterator, and the launches that
// are made from a plan.
#pragma once

#include "impl/cuda/make_launches.h"
#include "impl/iterator/allocate_outputs.h"
#include "impl/iterator/build.h"
#include "impl/iterator/coalesce_dimensions.h"
#include "impl/iterator/compute_shape.h"
#include "impl/iterator/fast_setup.h"
#include "impl/iterator/split_32bit.h"
#include "impl/tensor/dimension_order.h"
#include "impl/tensor/memory_format.h"
#include "impl/tensor/overlap.h"
#include "oracle/case_trace.h"

namespace upcast::properties {

/// Our functions. A control replaces one of them by a broken one.
struct IteratorSteps {
  decltype(&upcast::is_contiguous) is_contiguous = &upcast::is_contiguous;
  decltype(&upcast::is_channels_last) is_channels_last = &upcast::is_channels_last;
  decltype(&upcast::is_non_overlapping_and_dense) is_dense = &upcast::is_non_overlapping_and_dense;
  decltype(&upcast::preserved_strides) preserved_strides = &upcast::preserved_strides;
  decltype(&upcast::span_of) span_of = &upcast::span_of;
  decltype(&upcast::dimension_order) dimension_order = &upcast::dimension_order;
  decltype(&upcast::has_internal_overlap) has_internal_overlap = &upcast::has_internal_overlap;
  decltype(&upcast::overlap_of) overlap_of = &upcast::overlap_of;
  decltype(&upcast::broadcast_strides) broadcast_strides = &upcast::broadcast_strides;
  decltype(&upcast::fast_setup) fast_setup = &upcast::fast_setup;
  decltype(&upcast::output_strides) output_strides = &upcast::output_strides;
  decltype(&upcast::build_plan) build_plan = &upcast::build_plan;
  decltype(&upcast::coalesce_dimensions) coalesce = &upcast::coalesce_dimensions;
  decltype(&upcast::split_32bit) split = &upcast::split_32bit;
  decltype(&upcast::make_launches) make_launches = &upcast::make_launches;
  decltype(&upcast::trace_case) trace_case = &upcast::trace_case;
};

}  // namespace upcast::properties
