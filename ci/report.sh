#!/usr/bin/env bash
# The main job: runs the grid full, with our implementation against LibTorch, and writes build/report/index.html.
source "$(dirname "$0")/common.sh"
stage set-up ci/setup.sh report
# Takes CI's preset if this is CI's compiler: ccache finds objects by their flags, such as -Werror, so another preset
# would rebuild everything. With other compilers a warning must not prevent the report.
preset=release
[[ $(g++ -dumpversion) == 12* ]] && preset=ci
stage build ci/build.sh $preset upcast upcast-worker upcast-minimize upcast-repro  # a reader of the report is told to run upcast-minimize and upcast-repro

mkdir -p build/report
# An interrupted run goes on in its store. A finished one, which has its page, is made anew, and so is one of other programs.
if [[ -e build/report/index.html || build/report/run.db -ot build/bin/upcast || build/report/run.db -ot build/bin/upcast-worker ]]; then
  rm -f build/report/index.html build/report/run.db*
fi
status=0
stage run build/bin/upcast run --grid full --subject impl:cpu --oracle libtorch:cpu --jobs "$(nproc)" \
  --out build/report/run.db || status=$?
[[ $status -le 1 ]] || die "the run did not complete (exit code $status); run ci/report.sh again to resume it"
# Prints the summary, then the time and the memory that making the page took: its limits are 20 s and 2 GiB.
stage report python3 - build/bin/upcast report build/report/run.db -o build/report/index.html << 'EOF'
import resource, subprocess, sys, time
began = time.monotonic()
code = subprocess.run(sys.argv[1:]).returncode
took = time.monotonic() - began
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
if code == 0:
    print(f"report: {took:.1f} s, {peak:.0f} MiB at most", flush=True)
sys.exit(code)
EOF
cat build/build_times.txt
stages
echo "$PWD/build/report/index.html"
exit $status
