#!/usr/bin/env bash
# Tests ci/gpu.sh with stand-ins for its programs: finished steps are not repeated, a time-out ends with 3 and resumes,
# differences end with 1, a machine without a GPU with 2, and the summary reports all of it.
source "$(dirname "$0")/common.sh"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/build/bin" "$tree/path"
cp -r ci "$tree"
cd "$tree"
export PATH=$tree/path:$PATH UPCAST_GPU_SECONDS=60 UPCAST_GPU_JOBS=1
unset OUT

program() {  # program <path> <text>: writes a stand-in for a program, a shell script
  printf '#!/usr/bin/env bash\n%s\n' "$2" > "$1"
  chmod +x "$1"
}
run='{"planned":9,"ran":9,"agree":8,"known":0,"unexplained":0,"not_judged":1,"crash":0,"timeout":0,"values_judged":90,"seconds":1}'
row='{"name":"pair add.Tensor(int32, int32) 2^28","ours":100,"peer":150,"unit":"ns","ratio":1.5,"predicted":95,"path":"contiguous"}'
upcast='while (($#)); do [[ $1 != --json ]] || json=$2; [[ $1 != --out ]] || : > "$2"; last=$1; shift; done'
for name in upcast-worker upcast-bench impl.cuda impl.cuda_kernels oracle.libtorch; do program build/bin/$name ''; done
mkdir -p build/lib/upcast
program build/lib/upcast/libupcast_cuda.so ''
program build/bin/upcast "[[ \$1 == bench ]] && text='{\"rows\":[$row],\"versions\":{\"device\":\"pretended\"}}' || text='$run'
$upcast
echo \"\$text\" > \"\$json\""
mkdir -p .gpu/state
program .gpu/state/sanitizer_control ''
program path/compute-sanitizer '[[ $* == *sanitizer_control* ]] && exit 9; exit 0'

expect() {  # expect <exit code> <text> <argument>...: runs ci/gpu.sh with the arguments; checks exit code and output
  local want=$1 text=$2 code=0
  shift 2
  ci/gpu.sh "$@" > said 2>&1 || code=$?
  [[ $code == "$want" ]] || die "gpu.sh $*: exit code $code, not $want: $(< said)"
  grep -q -- "$text" said || die "gpu.sh $* did not say '$text': $(< said)"
}
steps=(check bench memcheck racecheck ours peer summary)
program path/nvidia-smi 'exit 9'
expect 2 "step 'check' needs a GPU" check
expect 2 'unknown step' nonsense
expect 2 'no step has run' summary
program path/nvidia-smi 'echo "GPU 0: pretended"'
expect 0 'ours-promotion | passed | planned 9, ran 9' "${steps[@]}"
expect 0 'memcheck: done before' "${steps[@]}"
grep -q '2^28: share of the copy bandwidth | 0.92 | 0.95 | pair add' .gpu/out/summary.md || die "no goal: $(< .gpu/out/summary.md)"
grep -q 'strided and broadcast, 2^28: speed against LibTorch | 1.0 | not measured' .gpu/out/summary.md || die "a goal that nothing measured"
[[ -s .gpu/out/logs.tar.gz && -s .gpu/out/bench.json && -s .gpu/out/stores.tar.gz.aa ]] || die "results are missing"

program build/bin/impl.cuda 'exit 1'  # other programs: everything is done again, and this fails
program build/bin/upcast-bench 'true'
expect 1 'differences in check-emulated' check --out elsewhere
grep -q 'check-emulated | \*\*differences\*\*' elsewhere/summary.md || die "the summary hides a difference"
program path/compute-sanitizer 'exit 0'  # finds nothing, not even the planted faults
expect 1 'differences in memcheck-control' memcheck
program build/bin/upcast 'exit 3'
expect 1 'ours-devices: exit code 3' ours
program build/bin/upcast 'sleep 60'
UPCAST_GPU_SECONDS=12 expect 3 "the time was over in step 'peer-devices'" peer
grep -q 'peer-devices | not finished' .gpu/out/summary.md || die "the summary hides what did not finish"
echo "ci/gpu.sh passed every control"
