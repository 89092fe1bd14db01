// synthetic_report KIND OUT: writes the report of a synthetic run, for the browser test. If OUT
// ends with .db, writes the run's store instead.
//
// KIND is one of
//   small, clean, list, rulebooks
//   plugin   a subject that has 24 of 100 ops
//   runs     two runs, compared with an earlier one
//   hostile  the same two runs and rule books, with markup in every name
//   summed   the cases of `small`, of which few are listed
//   grid     as many cases as the grid `promotion`
//   rows     a million cases in rows of a few cases

#include <cstdio>
#include <string>
#include <vector>

#include "cases/output_file.h"
#include "impl/core/temporary_folder.h"
#include "reports/html/html_report.h"
#include "reports/testing/synthetic_input.h"
#include "reports/testing/synthetic_store.h"

using namespace upcast::reports;           // NOLINT
using namespace upcast::reports::testing;  // NOLINT

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: synthetic_report KIND OUT.html|OUT.db\n");
    return 2;
  }
  const std::string kind = argv[1];
  SyntheticOptions options{.binary_ops = 9, .unary_ops = 5, .ternary_ops = 1, .dtypes = 8};
  if (kind == "grid") options = {.binary_ops = 40, .unary_ops = 60, .ternary_ops = 5};
  if (kind == "plugin")
    options = {.binary_ops = 40, .unary_ops = 60, .dtypes = 8, .plugin_ops = 24};
  options.hostile = kind == "hostile";
  options.clean = kind == "clean";
  const upcast::TemporaryFolder folder;
  const std::string out = argv[2];
  std::vector<std::string> stores{out.ends_with(".db") ? out : folder / "run.db"};
  const RunPlan plan = kind == "list"        ? synthetic_list_plan(2000)
                       : kind == "rows"      ? synthetic_rows_plan(1'000'000)
                       : kind == "rulebooks" ? synthetic_rulebooks_plan()
                                             : synthetic_plan(options);
  write_synthetic_store(stores[0], plan, options);
  if (out.ends_with(".db")) return 0;
  ReportInput input = synthetic_input(stores, folder.path(), options.hostile);
  if (kind == "summed") input.most_cases = 2000;
  if (kind == "runs" || kind == "hostile") {
    input.baseline = folder / "earlier.db";
    SyntheticOptions earlier = options;
    earlier.binary_ops = 7;
    earlier.chance = 1;
    write_synthetic_store(input.baseline, synthetic_plan(earlier), earlier);
  }
  if (kind == "runs" || kind == "hostile") {
    RunPlan second = plan;
    second.subject = options.hostile ? "plugin:<b>emulated</b>" : "impl:emulated";
    options.clean = true;
    input.stores.push_back(folder / "second.db");
    write_synthetic_store(input.stores[1], second, options);
  }
  if (options.hostile) {
    input.stores.push_back(folder / "rulebooks.db");
    write_synthetic_store(input.stores[2],
                          synthetic_rulebooks_plan("<img src=x onerror='window.hacked=11'>"),
                          options);
  }
  upcast::write_output_file(out, render_html(input));
  return 0;
}
