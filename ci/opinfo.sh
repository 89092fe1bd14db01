#!/usr/bin/env bash
# ci/opinfo.sh [--build FOLDER] [--no-fetch] [--dtypes | opinfo.py's options]: runs PyTorch's own samples of elementwise ops on our implementation as a PyTorch device (oracle/frameworks/privateuse1/opinfo.py says what is checked). All of them,
# unless --op NAME... or --every N takes a part. --dtypes compares `upcast list dispatch` with its dtypes instead. Fetches what OpInfo imports (ci/opinfo.txt); with --no-fetch, or
# where torch cannot be imported, it is skipped with a reason: exit code 77.
source "$(dirname "$0")/common.sh"
source ci/fetch.sh
build=build
fetches=1
dtypes=
options=()
while (($#)); do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift 2 ;;
    --no-fetch) fetches=; shift ;;
    --dtypes) dtypes=1; shift ;;
    *) options+=("$1"); shift ;;
  esac
done
library=$build/lib/libupcast_device.so
[[ -f $library ]] || die "$library is missing; build it (ninja -C $build upcast_device), or name a build with --build"
libtorch=${LIBTORCH:-$cache/libtorch-$(pinned ci/libtorch.txt)}
[[ -d $libtorch/torch ]] && libtorch+=/torch
packages=$cache/opinfo-$(pinned ci/opinfo.txt)
if [[ -n $fetches ]]; then
  fetch ci/opinfo.txt "$packages" '*'
elif [[ ! -f $packages/.complete ]]; then
  echo "skipped: PyTorch's OpInfo needs NumPy and SciPy; run: ci/setup.sh" >&2
  exit 77
fi
torch=$(python3 ci/torch_python.py "$libtorch" "$library")  # if torch cannot be imported, torch_python.py prints the reason, exits with 77, and ends this script
export PYTHONPATH=$torch:$packages
[[ -z $dtypes ]] || exec python3 tools/catalogue/cuda_dtypes.py "$build/bin/upcast"
exec python3 oracle/frameworks/privateuse1/opinfo.py "$library" cases/opinfo_declared.toml \
  "${options[@]}"
