#!/usr/bin/env bash
# ci/nightly.sh [stage...]: runs what ci/test.sh leaves out, and runs whole what it samples (docs/testing.md). Without an argument, every stage.
#   tests      every test of ci/test.sh, and those for the night alone: whole grids of every pair of sides, accuracy over whole samples
#   frameworks installs every Python framework that is pinned, and runs the tests that skip without them
#   opinfo     every sample of PyTorch's OpInfo
#   mutants    every mutant of tools/mutation
#   planted    every planted bug is found by fuzzing
#   fuzz       half an hour of fuzzing; corpora in ${UPCAST_CORPORA:-corpora}
#   parsers    an hour of fuzzing the parsers of outside data, then their corpora under sanitizers; counted from night to night
#   memory     the seeds of every fuzzing target under valgrind
#   asan tsan  the tests that need no LibTorch under the sanitizers of these presets
# A stage's output is build/nightly/STAGE.log. Ends with 'N stages passed, N failed[, N skipped]', and exits 1 where one failed, or none passed.
source "$(dirname "$0")/common.sh"
every=(tests frameworks opinfo mutants planted fuzz parsers memory asan tsan)
logs=build/nightly

count() {  # count <stage> <ctest argument>...: runs tests of build/, and fails as ci/test.sh does
  local xml=$PWD/$logs/$1.xml
  shift
  rm -f "$xml"
  ctest --test-dir build -C nightly -j "$(nproc)" --output-on-failure --output-junit "$xml" "$@" || true
  python3 ci/count_tests.py "$xml"
}

sanitize() {  # sanitize <preset> <ctest argument>...: tests build/<preset>, without LibTorch, which is not built for sanitizers
  local preset=$1
  shift
  cmake --preset "$preset" -DUPCAST_ENABLE_LIBTORCH=OFF && cmake --build --preset "$preset" --parallel "$(nproc)" &&
    ctest --test-dir "build/$preset" -j "$(nproc)" --output-on-failure --no-tests=error "$@"
}

run_stage() {  # steps are joined by &&, because the caller's check of the exit code switches off set -e
  case $1 in
    tests) count tests ;;
    frameworks)
      local names=()
      for file in ci/frameworks/*.txt; do names+=("$(basename "$file" .txt)"); done
      ci/frameworks.sh "${names[@]}" numpy==1.26.4 paddle==2.6.2 && count frameworks -L frameworks
      ;;
    opinfo) ci/opinfo.sh ;;
    mutants) ci/mutate.sh all ;;
    planted) python3 ci/planted_fuzz.py ;;
    fuzz) ci/fuzz.sh nightly ;;
    parsers) ci/fuzz.sh parsers ;;
    memory) ci/fuzz.sh memory ;;
    asan) sanitize asan -L 'unit|property|fuzz' -LE 'lint|fuzz_smoke' ;;
    tsan) sanitize tsan -R '^(oracle\.(impl|host|supervisor|process|plugin|protocol)|reports\.run_store|cases\.notation)\.' ;;
  esac
}

stages=("$@")
[[ ${#stages[@]} -gt 0 ]] || stages=("${every[@]}")
for name in "${stages[@]}"; do
  [[ " ${every[*]} " == *" $name "* ]] || die "unknown stage '$name'; one of ${every[*]}"
done
ci/setup.sh test scale
ci/build.sh ci
mkdir -p "$logs"
passed=0 failed=0 skipped=0
for name in "${stages[@]}"; do
  began=$SECONDS
  code=0
  run_stage "$name" > "$logs/$name.log" 2>&1 || code=$?
  what=failed
  case $code in
    0) what=passed passed=$((passed + 1)) ;;
    77) what=skipped skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
  say "$name $what after $((SECONDS - began)) s ($logs/$name.log): $(tail -n 1 "$logs/$name.log" | cut -c1-160)"
done
echo "$passed stages passed, $failed failed$([[ $skipped == 0 ]] || echo ", $skipped skipped")"
[[ $failed == 0 && $passed -gt 0 ]]
