#!/usr/bin/env bash
# ci/fuzz.sh [smoke|planted|nightly|campaign|afl|memory|parsers] [target...]: fuzzes with the engines of build/, or of preset fuzz where it is built.
#   smoke     a fixed number of inputs from a fixed seed, twice, a minute in all: the same result, nothing found, the gate of
#             speed (ci/fuzz_smoke.py; ctest -L fuzz_smoke)
#   planted   each planted bug is found within a minute of a core, in the median within 5 s (ci/planted_fuzz.py): 10 minutes;
#             writes docs/planted_bugs.md
#   nightly   half an hour, two jobs a target, corpora in ${UPCAST_CORPORA:-corpora}
#   campaign  as nightly, for ${UPCAST_FUZZ_SECONDS:-28800} seconds a target
#   afl       AFL++, a main and a secondary that share a folder, for ${UPCAST_FUZZ_SECONDS:-300} seconds a target, on the same corpora
#   memory    the seeds and some mutations of them under valgrind: reads and writes out of bounds; minutes a target
#   parsers   every parser of outside data (or those that are named), until each has had ${UPCAST_PARSER_RUNS:-100000000} executions
#             (preset parsers-fast), for ${UPCAST_FUZZ_SECONDS:-3600} seconds in all; then what they kept under sanitizers
#             (preset parsers); the next run goes on (ci/fuzz_parsers.py)
#   build     preset fuzz: Clang's coverage of our rules, with the kernels of build/
# UPCAST_FUZZ_GATE: cases a second of a core that elementwise must reach (5000).
source "$(dirname "$0")/common.sh"
tier=${1:-smoke}
shift || true
targets=("$@") parsers=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(elementwise chain iterator kernel promotion notation store)
upcast=build/bin/upcast
[[ $tier == build || -x $upcast ]] || die "$upcast is missing; run ci/build.sh ci"
corpora=${UPCAST_CORPORA:-corpora}
if [[ $tier == nightly || $tier == campaign ]] && [[ -x build/libfuzzer/bin/fuzz-elementwise ]]; then
  export UPCAST_FUZZ_BIN=${UPCAST_FUZZ_BIN:-$PWD/build/libfuzzer/bin}
fi

campaign() {  # campaign <target> <argument>...: runs one campaign; notes whether it found something
  local target=$1 code=0
  shift
  "$upcast" fuzz --target "$target" "$@" --json "$scratch/$target.json" || code=$?
  [[ $code -lt 2 ]] || die "the campaign on $target ended with exit code $code"
  [[ $code == 0 ]] || bad=1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
case $tier in
  smoke)
    for target in "${targets[@]}"; do
      gate=0
      [[ $target != elementwise ]] || gate=${UPCAST_FUZZ_GATE:-5000}
      python3 ci/fuzz_smoke.py "$upcast" "$target" --gate "$gate" || bad=1
    done
    ;;
  planted) python3 ci/planted_fuzz.py --page docs/planted_bugs.md || bad=1 ;;
  nightly) for target in "${targets[@]}"; do campaign "$target" --time 300 --jobs 2 --corpus "$corpora/$target"; done ;;
  campaign)
    for target in "${targets[@]}"; do
      campaign "$target" --time "${UPCAST_FUZZ_SECONDS:-28800}" --jobs "$(nproc)" --corpus "$corpora/$target"
    done
    ;;
  afl)
    for target in "${targets[@]}"; do
      ci/build.sh ci "fuzz-$target-afl" > "$scratch/build.txt" || { cat "$scratch/build.txt"; die "cannot build fuzz-$target-afl; is there Debian's afl++?"; }
      code=0
      python3 ci/afl_fuzz.py "$target" --seconds "${UPCAST_FUZZ_SECONDS:-300}" --corpus "$corpora/$target" || code=$?
      [[ $code -lt 2 ]] || die "AFL++ on $target ended with exit code $code"
      [[ $code == 0 ]] || bad=1
    done
    ;;
  memory)
    command -v valgrind > "$scratch/which.txt" || die "valgrind is missing; run ci/setup.sh scale"
    for target in "${targets[@]}"; do
      valgrind --quiet --error-exitcode=1 --num-callers=25 --suppressions=ci/valgrind.supp "build/bin/fuzz-$target-replay" -seeds -mutate=1000 ||
        { echo "memory: $target failed" >&2; bad=1; }
    done
    ;;
  build)
    [[ -f build/impl/libupcast_emulated.a ]] || die "build/impl/libupcast_emulated.a is missing: its kernels are linked; run ci/build.sh ci"
    ci/build.sh fuzz fuzz-targets
    ;;
  parsers)
    [[ -f build/impl/libupcast_impl.a ]] || die "build/impl/libupcast_impl.a is missing: its kernels are linked; run ci/build.sh ci"
    for preset in parsers parsers-fast; do ci/build.sh "$preset" fuzz-store fuzz-store-replay; done
    python3 ci/fuzz_parsers.py build/parsers-fast/bin/fuzz-store --sanitized build/parsers/bin/fuzz-store \
      --runs "${UPCAST_PARSER_RUNS:-100000000}" --corpus "$corpora/parsers" \
      --seconds "${UPCAST_FUZZ_SECONDS:-3600}" "${parsers[@]}" || bad=1
    ;;
  *) die "unknown tier '$tier'; one of smoke, planted, nightly, campaign, afl, memory, parsers, build" ;;
esac
exit $bad
