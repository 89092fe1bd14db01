// Names of LibTorch as a side: "libtorch:cpu?capability=native", "libtorch@2.11.0:cpu".
#pragma once

#include <string>
#include <string_view>

namespace upcast {

/// A side's name apart from the version of LibTorch that it asks for.
struct SideName {
  std::string version;  // "2.11.0"; "": the one that this build is made with, or no LibTorch
  std::string name;     // "libtorch:cpu"; of any other side the whole name
};

/// "libtorch@2.11.0:cpu" is {"2.11.0", "libtorch:cpu"}; any other name is itself. Throws UsageError
/// where behind "libtorch@" there is no version, or no device.
SideName split_side_name(std::string_view side);

}  // namespace upcast
