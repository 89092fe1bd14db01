#include "reports/accuracy_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "cases/read_toml.h"
#include "cases/visible.h"
#include "impl/core/dtype_set.h"
#include "impl/core/error.h"
#include "oracle/side.h"

namespace upcast::reports {
namespace {

using nlohmann::json;

DType dtype_of(const std::string& text, const std::string& name) {
  const int found = find_dtype_code(text);
  if (found == kDTypeCount) throw UsageError(fmt::format("{}: no dtype '{}'", name, visible(text)));
  return dtype_from_code(found);
}

/// Checks those parts of accuracy_bounds.toml that add_bounds relies on.
void check_bounds(const toml::table& root, const std::string& name) {
  if (const toml::table* classes = root["class"].as_table())
    for (const auto& [key, value] : *classes)
      if (!value.is_table() || !(*value.as_table())["ops"].is_array())
        throw UsageError(fmt::format("{}: class {} must be a table with a list \"ops\"", name,
                                     visible(key.str())));
  if (const toml::array* exceptions = root["exception"].as_array())
    for (const toml::node& node : *exceptions)
      if (!node.is_table() || !(*node.as_table())["dtypes"].is_array())
        throw UsageError(name + ": an exception must be a table with a list \"dtypes\"");
}

/// The dtypes that a column of the bounds means. "float8" stands for the float8 dtypes with numbers
/// of both signs.
std::vector<DType> dtypes_of_column(const std::string& column, const std::string& name) {
  if (column != "float8") return {dtype_of(column, name)};
  return (kFloat8s - DTypeSet{DType::kFloat8E8M0FNU}).dtypes();
}

/// Reads an error in ulp. JSON has null for an infinite error.
double ulp_from(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

/// Reads the fields that a row of a table and a row of a sweep have in common.
void read_common(const json& from, AccuracyRow& row) {
  row.max_ulp = ulp_from(from.at("max_ulp"));
  row.mean_ulp = ulp_from(from.at("mean_ulp"));
  row.correctly_rounded = from.at("correctly_rounded");
  row.misplaced = from.at("misplaced");
  row.undecided = from.value("undecided", int64_t{0});
  row.inputs = from.at("inputs");
  row.histogram = from.value("histogram", std::vector<int64_t>{});
}

AccuracyRow table_row(const json& from, const std::string& name) {
  AccuracyRow row{.op = from.at("op"), .dtype = dtype_of(from.at("dtype"), name)};
  row.side = from.at("side");
  row.version = from.value("version", "");
  row.with = from.value("with", "");
  row.date = from.value("date", "");
  row.exhaustive = from.at("exhaustive");
  row.edges = from.value("edges", std::vector<double>{});
  read_common(from, row);
  const json worst = from.value("worst", json::array());
  if (worst.is_string()) {
    if (!worst.get<std::string>().empty()) row.worst.push_back({worst, row.max_ulp});
  } else {
    for (const json& input : worst) row.worst.push_back({input.at(0), ulp_from(input.at(1))});
  }
  return row;
}

bool is_same(const AccuracyRow& a, const AccuracyRow& b) {
  return a.op == b.op && a.dtype == b.dtype && a.side == b.side && a.with == b.with;
}

/// The version of a side, from `versions`: for impl:cpu that of "impl", for glibc that of "glibc".
std::string version_of(const std::string& side_name, const json& versions) {
  const Side side = parse_side(side_name);
  return versions.value(side.vendor == Vendor::kOther ? side.target : name(side.vendor), "");
}

/// Runs `read` on parsed JSON. A fault in the text or its content becomes a UsageError that names
/// the user's file.
template <class Read>
void read_with(std::string_view text, const std::string& name, const char* what, Read read) {
  try {
    const json value = read_json(text);
    if (value.is_discarded()) throw UsageError(fmt::format("{}: {} (no JSON)", name, what));
    read(value);
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("{}: {} ({})", name, what, error.what()));
  }
}

}  // namespace

void AccuracyTable::add_table(std::string_view text, const std::string& name) {
  read_with(text, name, "no table of measured errors", [&](const json& table) {
    for (const json& each : table) {
      if (each.contains("refused")) continue;
      AccuracyRow row = table_row(each, name);
      const auto is_new = [&row](const AccuracyRow& other) { return !is_same(row, other); };
      if (std::all_of(rows.begin(), rows.end(), is_new)) rows.push_back(std::move(row));
    }
  });
}

void AccuracyTable::add_sweep(std::string_view text, const std::string& name) {
  read_with(text, name, "not what upcast sweep --json writes", [&](const json& sweep) {
    for (const auto& [side, from] : sweep.at("sides").items()) {
      AccuracyRow row{.op = sweep.at("op"), .dtype = dtype_of(sweep.at("dtype"), name)};
      row.side = side;
      row.version = version_of(side, sweep.value("versions", json::object()));
      row.edges = from.at("histogram_edges").get<std::vector<double>>();
      read_common(from, row);
      // An older version of the sweep called a shard exhaustive too; it has fewer inputs than the
      // whole sweep.
      row.exhaustive = sweep.at("exhaustive") && row.inputs == sweep.value("inputs", row.inputs);
      for (const json& input : from.at("worst"))
        row.worst.push_back({input.at("input"), ulp_from(input.at("ulp"))});
      std::erase_if(rows, [&row](const AccuracyRow& other) { return is_same(row, other); });
      rows.push_back(std::move(row));
    }
  });
}

void AccuracyTable::add_bounds(std::string_view text, const std::string& name) {
  const toml::table root = read_toml(text, name);
  check_bounds(root, name);
  if (const toml::table* classes = root["class"].as_table()) {
    for (const auto& [key, value] : *classes) {
      const toml::table& row = *value.as_table();
      for (const auto& [column, bound] : row) {
        if (!bound.is_number()) continue;
        for (const DType dtype : dtypes_of_column(std::string(column.str()), name))
          for (const toml::node& op : *row["ops"].as_array())
            bounds[{op.value_or(std::string()), dtype}] = bound.value_or(0.0);
      }
    }
  }
  if (const toml::array* exceptions = root["exception"].as_array()) {
    for (const toml::node& node : *exceptions) {
      const toml::table& row = *node.as_table();
      const auto bound = row["bound"].value<double>();
      if (!bound) continue;
      for (const toml::node& dtype : *row["dtypes"].as_array())
        bounds[{row["op"].value_or(std::string()), dtype_of(dtype.value_or(std::string()), name)}] =
            *bound;
    }
  }
}

AccuracyTable AccuracyTable::of_sides(const std::vector<std::string>& sides) const {
  AccuracyTable chosen{.rows = {}, .bounds = bounds};
  for (const AccuracyRow& row : rows) {
    const auto is_of_row = [&row](const std::string& side) {
      const Side given = parse_side(side), measured = parse_side(row.side);
      return std::tie(given.vendor, given.target, given.version) ==
             std::tie(measured.vendor, measured.target, measured.version);
    };
    if (std::any_of(sides.begin(), sides.end(), is_of_row)) chosen.rows.push_back(row);
  }
  std::stable_sort(
      chosen.rows.begin(), chosen.rows.end(), [](const AccuracyRow& a, const AccuracyRow& b) {
        return std::tuple(a.op, code(a.dtype), a.side) < std::tuple(b.op, code(b.dtype), b.side);
      });
  return chosen;
}

}  // namespace upcast::reports
