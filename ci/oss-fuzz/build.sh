#!/usr/bin/env bash
# The build that OSS-Fuzz runs: reads CXX, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT, and writes for each target
#   $OUT/TARGET  TARGET.options  TARGET.dict  TARGET_seed_corpus.zip     and the libraries that they load to $OUT/lib.
# UPCAST_BUILD: a build folder whose engines are packed as they are, where they need not be compiled.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=${SRC:?}/upcast
[[ -d $source/ci/oss-fuzz ]] && here=$source/ci/oss-fuzz
build=${UPCAST_BUILD:-${WORK:?}/upcast}
: "${OUT:?}"

if [[ -z ${UPCAST_BUILD:-} ]]; then
  # LibTorch is built with libstdc++, so upcast is too. OSS-Fuzz's engine contains its own libc++, which does not clash.
  cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE= \
    -DCMAKE_CXX_COMPILER="${CXX:?}" -DCMAKE_CXX_FLAGS="${CXXFLAGS//-stdlib=libc++/}" \
    -DUPCAST_FUZZER_ENGINE="${LIB_FUZZING_ENGINE:?}" -DUPCAST_ENABLE_CUDA=OFF -DBUILD_TESTING=OFF
  ninja -C "$build" fuzz-targets
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$OUT/lib"
for replay in "$build"/bin/fuzz-*-replay; do
  engine=${replay%-replay}
  target=${engine##*/fuzz-}
  install -m 755 "$engine" "$OUT/$target"
  cp "$here/options/$target.options" "$OUT/$target.options"
  [[ ! -f $here/dictionaries/$target.dict ]] || cp "$here/dictionaries/$target.dict" "$OUT/$target.dict"
  "$replay" -seeds -write="$scratch/$target" > /dev/null
  rm -f "$OUT/${target}_seed_corpus.zip"
  (cd "$scratch/$target" && python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" seed-*)
  # Copies the libraries that the engines load, except those that every system with a C++ compiler has.
  ldd "$engine" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so/ { print $3 }' | while read -r library; do
    cp -u -L "$library" "$OUT/lib/"
  done
done
