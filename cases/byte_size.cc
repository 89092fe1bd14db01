#include "cases/byte_size.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array<Unit, 12> kUnits{{{"GiB", 0x1p30},
                                       {"MiB", 0x1p20},
                                       {"KiB", 0x1p10},
                                       {"TiB", 0x1p40},
                                       {"GB", 1e9},
                                       {"MB", 1e6},
                                       {"KB", 1e3},
                                       {"TB", 1e12},
                                       {"G", 0x1p30},
                                       {"M", 0x1p20},
                                       {"K", 0x1p10},
                                       {"", 1}}};
constexpr double kMost = 0x1p60;

}  // namespace

std::int64_t parse_byte_size(std::string_view text) {
  if (text == "none") return 0;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const Unit& known : kUnits)
    if (error == std::errc() && known.name == unit && number * known.bytes >= 1 &&
        number * known.bytes <= kMost)
      return static_cast<std::int64_t>(number * known.bytes);
  throw UsageError("'" + visible(text) + "' is not a size of memory; write 4GiB, 500MiB or none");
}

std::string byte_size_text(std::int64_t bytes) {
  for (const Unit& unit : {kUnits[3], kUnits[0], kUnits[1], kUnits[2]}) {
    const double count = static_cast<double>(bytes) / unit.bytes;
    if (count < 1) continue;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", count);
    return std::string(text.data()) + " " + std::string(unit.name);
  }
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

}  // namespace upcast
