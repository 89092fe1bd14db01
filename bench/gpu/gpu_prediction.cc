#include "bench/gpu/gpu_bench.h"
#include "bench/gpu/gpu_cases.h"
#include "bench/gpu/planning_engine.h"
#include "cases/notation.h"

namespace upcast::bench {

Report gpu_prediction(std::string_view device, std::string_view filter) {
  const GpuDevice& found = find_gpu_device(device);
  Report report;
  report.notes.push_back("predicted from " + std::string(found.source) + "; nothing was measured");
  for (const int exponent : gpu_sizes())
    for (const GpuCase& made : gpu_cases(exponent, filter)) {
      PlanningEngine engine;
      const Traffic traffic =
          traffic_of(BenchCall(parse_case(made.line), Device::kCuda, engine.memory()), engine);
      report.rows.push_back({.name = made.name,
                             .predicted = least_nanoseconds(traffic, found.bytes_per_second),
                             .bytes = traffic.memory_bytes,
                             .path = name(traffic.path)});
    }
  return report;
}

}  // namespace upcast::bench
