#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "cases/grid.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/rulebook_cases.h"
#include "cases/suggest.h"
#include "impl/core/error.h"
#include "impl/ops/catalogue.h"
#include "impl/ops/dispatch_macro.h"
#include "impl/promotion/promotion.h"
#include "oracle/host/answer_process.h"
#include "oracle/modules/modules.h"
#include "tools/catalogue_page.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/explanation_text.h"
#include "tools/libtorch_home.h"
#include "tools/paths.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

struct ListOptions {
  std::string what;
  std::string filter;
  std::string tables = "*";
  std::string json;
  bool markdown = false;
};

struct Table {
  Rows::value_type head;
  Rows rows;
};

template <class T>
std::string text(const T& value) {
  return std::string(value);
}

std::string dtype_or_dash(DType dtype) {
  return dtype == DType::kUndefined ? "-" : text(name(dtype));
}

Rows::value_type op_row(const Op& op) {
  std::string callables;
  for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload) {
    for (const Form form : {Form::kFunctional, Form::kInPlace, Form::kOut}) {
      const std::string_view callable = op.callable(overload, form);
      if (callable.empty()) continue;
      callables += (callables.empty() ? "" : " ") + text(callable);
    }
  }
  return {text(op.spec->name), text(op.family), text(info(op.spec->promotion).name), callables};
}

Table list_ops() {
  Table table{{"op", "family", "promotion", "callables"}, {}};
  for (const Op& op : catalogue()) table.rows.push_back(op_row(op));
  return table;
}

Table list_dispatch() {
  Table table{{"op", "device", "dispatch macro", "dtypes"}, {}};
  for (const Op& op : catalogue()) {
    for (const Device device : {Device::kCpu, Device::kCuda}) {
      const DTypeSet dtypes = kernel_dtypes(*op.spec, device);
      if (dtypes.empty()) continue;  // a composition
      std::vector<std::string_view> names;
      for (const DType dtype : dtypes.dtypes()) names.push_back(name(dtype));
      table.rows.push_back({text(op.spec->name), text(name(device)), dispatch_macro(dtypes),
                            fmt::format("{}", fmt::join(names, " "))});
    }
  }
  return table;
}

Table list_dtypes() {
  Table table{{"dtype", "short", "code", "c10", "category", "bytes", "compute", "real", "complex"},
              {}};
  for (int i = 0; i < kDTypeCount; ++i) {
    const DTypeInfo& row = info(dtype_from_code(i));
    table.rows.push_back({text(row.name), text(row.short_name), std::to_string(i),
                          text(row.c10_name), text(name(row.category)), std::to_string(row.bytes),
                          dtype_or_dash(row.compute), dtype_or_dash(row.real),
                          dtype_or_dash(row.complex)});
  }
  return table;
}

Table list_grids() {
  Table table{{"grid", "what it enumerates"}, {}};
  table.rows.push_back({"rulebooks",
                        "every cell of the other libraries' tables, to compare with rule books "
                        "(--subject rulebook:NAME --oracle table:NAME)"});
  for (const auto& [name, sentence] : grid_names())
    table.rows.push_back({text(name), text(sentence)});
  return table;
}

std::string versions_at_hand() {
  const std::vector<std::string> versions = other_versions();
  return versions.empty() ? "none: ci/libtorch_version.sh adds one"
                          : fmt::format("{}", fmt::join(versions, ", "));
}

Table list_subjects() {
  Table table{{"subject or oracle", "what answers", "here"}, {}};
#ifdef UPCAST_HAVE_LIBTORCH
  const std::string problem =
      has_sibling("upcast-worker") ? libtorch_problem() : "upcast-worker is missing";
  const std::string libtorch = problem.empty() ? "yes" : "no: " + problem;
#else
  const std::string libtorch = "no: built without LibTorch";
#endif
  const std::string cuda = std::filesystem::exists(module_file("cuda"))
                               ? "where there is a CUDA device"
                               : "no: its module is missing";
  table.rows.push_back({"impl:cpu", "upcast's own implementation", "yes"});
  table.rows.push_back({"impl:cuda", "the same on a GPU", cuda});
  table.rows.push_back({"impl:emulated", "the GPU's kernels, run on the host", "yes"});
  table.rows.push_back({"impl:emulated?device=cuda",
                        "the same for tensors on CUDA, with the rules of a GPU", "yes"});
  table.rows.push_back(
      {"impl:meta", "the same on the meta device: dtypes, shapes and strides only", "yes"});
  table.rows.push_back(
      {"libtorch:cpu", "LibTorch, scalar kernels, one thread, no oneDNN", libtorch});
  table.rows.push_back({"libtorch:cpu?capability=native",
                        "LibTorch with the vector kernels of this processor", libtorch});
  table.rows.push_back({"libtorch:cpu?capability=avx2",
                        "the same, with the AVX2 kernels even if the processor has AVX-512",
                        libtorch});
  table.rows.push_back({"libtorch:cpu?capability=native&onednn=on",
                        "PyTorch as installed: vector kernels, and oneDNN where it has a kernel",
                        libtorch});
  table.rows.push_back({"libtorch:cuda", "LibTorch on CUDA device 0",
                        libtorch == "yes" ? "where there is a CUDA device" : libtorch});
  table.rows.push_back(
      {"libtorch:meta", "LibTorch's meta device: dtypes, shapes and strides only", libtorch});
  table.rows.push_back({"process:CMD", "a process that speaks docs/process_protocol.md", "yes"});
  table.rows.push_back(
      {"python:NAME[==VERSION]",
       "a Python framework: array-api-strict, jax, numpy, onnxruntime, paddle, torch",
       "after ci/frameworks.sh NAME"});
  table.rows.push_back(
      {"libtorch@VERSION:cpu", "another LibTorch, on any of these devices", versions_at_hand()});
  table.rows.push_back({"rulebook:NAME",
                        "the rules of a promotion system; all: every one (--grid rulebooks)",
                        "yes"});
  table.rows.push_back(
      {"table:NAME",
       "the answers that a library gave when it was asked; all: every one (--grid rulebooks)",
       "yes"});
  return table;
}

Table list_rules() {
  Table table{{"rule", "what it says"}, {}};
  for (int i = 0; i < kRuleCount; ++i) {
    table.rows.push_back({std::to_string(i), text(describe(static_cast<Rule>(i)))});
  }
  return table;
}

Table list_kinds() {
  Table table{{"promotion kind", "2020", "what it says", "TensorIterator"}, {}};
  for (int i = 0; i <= static_cast<int>(PromotionKind::kOwn); ++i) {
    const auto kind = static_cast<PromotionKind>(i);
    table.rows.push_back({text(info(kind).name), text(info(kind).strategy_2020),
                          text(info(kind).sentence),
                          fmt::format("{}", fmt::join(iterator_flags(kind), " "))});
  }
  return table;
}

struct Listing {
  std::string_view name;
  Table (*make)();
};
constexpr Listing kListings[] = {{"ops", list_ops},           {"dispatch", list_dispatch},
                                 {"dtypes", list_dtypes},     {"grids", list_grids},
                                 {"subjects", list_subjects}, {"rules", list_rules},
                                 {"kinds", list_kinds}};

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

bool matches(const Rows::value_type& row, const std::string& filter) {
  return std::any_of(row.begin(), row.end(), [&](const std::string& cell) {
    return lower(cell).find(filter) != std::string::npos;
  });
}

std::string json_text(std::string_view list, const Table& table) {
  nlohmann::ordered_json json{{"$schema", json_schemas::kList}, {"list", list}};
  json["rows"] = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[table.head[i]] = row[i];
    json["rows"].push_back(object);
  }
  return dump_json(json, 2) + "\n";
}

/// Prints the stored answers of a library as a .cases file. Prints cells that cannot be written as
/// a case to standard error.
int list_cells(const std::string& table, const std::string& glob) {
  const CellCases cells = cases_of_cells(find_rulebook_tables(table), glob);
  if (cells.lines.empty())
    throw UsageError(
        fmt::format("no cell of {} in tables '{}' can be written as a case", table, glob));
  fmt::print("# {} of table:{}, tables {}\n", counted(std::ssize(cells.lines), "cell"), table,
             glob);
  for (const std::string& line : cells.lines) fmt::print("{}\n", line);
  for (const auto& [why, count] : cells.left_out)
    fmt::print(stderr, "left out {:>6}  {}\n", count, why);
  return kAsExpected;
}

int list(const ListOptions& options) {
  const std::string filter = lower(options.filter);
  if (options.markdown) {
    if (options.what != "ops") throw UsageError("--markdown is for 'upcast list ops' alone");
    fmt::print("{}", catalogue_page([&](const Op& op) { return matches(op_row(op), filter); }));
    return kAsExpected;
  }
  if (options.what == "cells" && !options.json.empty())
    throw UsageError("'upcast list cells' has no --json: it prints the lines of a .cases file");
  if (options.what == "cells") return list_cells(options.filter, options.tables);
  std::vector<std::string_view> names{"cells"};
  for (const Listing& listing : kListings) {
    names.push_back(listing.name);
    if (listing.name != options.what) continue;
    Table table = listing.make();
    std::erase_if(table.rows, [&](const auto& row) { return !matches(row, filter); });
    write_output(options.json, json_text(listing.name, table));
    table.rows.insert(table.rows.begin(), table.head);
    fmt::print(people(options.json), "{}", table_text(table.rows, 0));
    return kAsExpected;
  }
  throw UsageError(fmt::format("there is no list of '{}'{}; there are {}", options.what,
                               did_you_mean(options.what, names), fmt::join(names, ", ")));
}

}  // namespace

void add_list_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "list", "Lists: ops, dispatch, dtypes, grids, subjects, rules, kinds, cells");
  auto options = std::make_shared<ListOptions>();
  command
      ->add_option(
          "WHAT", options->what,
          "ops, dispatch (macros by device), dtypes, grids, subjects, rules, kinds, or cells")
      ->required();
  command->add_option("FILTER", options->filter,
                      "Only rows with this text; for cells: the library (numpy_2.4.6)");
  command->add_option("TABLES", options->tables, "For cells: only these tables ('op.add.*')");
  add_json_option(*command, options->json);
  command->add_flag("--markdown", options->markdown,
                    "Print ops as Markdown, as in docs/catalogue.md");
  command->callback([options, &action] { action = [options] { return list(*options); }; });
}

}  // namespace upcast::tools
