#!/usr/bin/env bash
# ci/provide.sh BUILD TARGET: builds a target that a build folder lacks, and installs what the target needs. `upcast` runs it when it
# is asked for something that ci/report.sh leaves out. Everything goes to stderr: stdout is the command's.
exec >&2
source "$(dirname "$0")/common.sh"
build=$1
target=$2
targets=("$target")
purpose=report
case $target in
  upcast-fuzz)  # `upcast fuzz` also needs its engines, and they need libFuzzer
    targets+=(fuzz-targets upcast-fuzz-chains upcast-minimize upcast-repro)
    purpose=fuzz
    ;;
  upcast_cuda_module) purpose=gpu ;;
esac
ci/setup.sh "$purpose"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake "$build" > "$log" 2>&1 || { cat "$log"; die "cannot configure $build"; }
say "building $target, which is missing from this build; this happens once"
progress=("")
[[ -t 2 ]] || progress=(--quiet)
NINJA_STATUS='[%f/%t, %e s] ' ninja -C "$build" ${progress[0]:+"${progress[@]}"} "${targets[@]}"
