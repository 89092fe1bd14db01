#!/usr/bin/env bash
# ci/libtorch_version.sh VERSION... [--build FOLDER]: makes other versions of LibTorch sides of upcast.
# It unpacks their pinned wheels (ci/libtorch_versions.txt) into the cache, and adds a worker of each to the build in
# FOLDER (default: build). A second run only adds what is missing. After that you can run
#   upcast run --subject libtorch@2.11.0:cpu --oracle libtorch:cpu --grid promotion
#   upcast history 'add(int32[3], 5.5)'
source "$(dirname "$0")/common.sh"
source ci/fetch.sh
versions=()
build=build
while (($#)); do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift 2 ;;
    -*) die "there is no option $1; write $0 VERSION... [--build FOLDER]" ;;
    *) versions+=("$1"); shift ;;
  esac
done
known=$(sed -n 's/^torch==\([^ ]*\) .*/\1/p' ci/libtorch_versions.txt | paste -sd ' ')
((${#versions[@]})) || die "which version? there are $known"
[[ $(uname -m) == x86_64 ]] || die "the pinned wheels are for x86_64"
[[ -f $build/CMakeCache.txt ]] || die "$build is no build; run ci/build.sh first, or name one with --build"

for version in "${versions[@]}"; do
  pin=$(mktemp)
  grep "^torch==$version " ci/libtorch_versions.txt > "$pin" ||
    die "LibTorch $version is not in ci/libtorch_versions.txt, which has $known; add its line (name==version --hash)"
  folder=$cache/libtorch-$version
  fetch "$pin" "$folder" 'torch/include/*' torch/lib/{libtorch_cpu.so,libc10.so,libgomp.so.1}
  rm -f "$pin"
  if readelf -d "$folder/torch/lib/libtorch_cpu.so" | grep -q 'libcudart\.so\.12'; then
    fetch ci/cuda12_runtime.txt "$cache/cuda-runtime-$(pinned ci/cuda12_runtime.txt)" 'nvidia/*/lib/libcu*.so.12'
  fi
done

there=$(sed -n 's/^UPCAST_LIBTORCH_VERSIONS:[A-Z]*=//p' "$build/CMakeCache.txt")
all=$(printf '%s\n' ${there//;/ } "${versions[@]}" | sort -uV | paste -sd ';')
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake "-DUPCAST_LIBTORCH_VERSIONS=$all" "$build" > "$log" 2>&1 || {
  cat "$log" >&2
  die "cannot configure $build"
}
cmake --build "$build" --parallel "$(nproc)" --target "${versions[@]/#/upcast-worker-}"
say "workers next to $build/bin/upcast: ${all//;/ }"
