#!/usr/bin/env bash
# ci/gpu.sh [STEP... | all] [--out FOLDER]: what only a machine with a GPU can do. `ci/gpu.sh help` lists the steps.
#
# Works from a plain copy of the tree, without root or a network: what the machine lacks is carried as Debian
# packages in .gpu/deb (`ci/gpu.sh carry`, where there is a network). Torch is LIBTORCH, or what python3 has.
# A finished step is not repeated for the same programs. A command that runs out of time (UPCAST_GPU_SECONDS,
# 530 for each) ends with 3; give it again to resume. Other exit codes: 0 as expected, 1 differences or a
# failed check, 2 this machine cannot do it.
source "$(dirname "$0")/common.sh"
source ci/packages.sh
home=$PWD/.gpu
state=$home/state
deadline=$((SECONDS + ${UPCAST_GPU_SECONDS:-530}))
jobs=${UPCAST_GPU_JOBS:-$(($(nproc) / 2 + 1))}
bin=build/bin
grids=(devices refusals layouts ops promotion)
bench_sizes=(10 12 14 16 18 20 22 24 26 28 30)

help() {
  cat << 'EOF'
ci/gpu.sh [STEP... | all] [--out FOLDER]
  carry      (where there is a network) fetches the Debian libraries of ci/packages.txt into .gpu/deb
  build      upcast, its worker, its benchmark and the tests of kernels, against the machine's torch and nvcc
  check      tests of kernels, a few cases on the GPU, tensors of more than 2^31 elements
  ours       grids: impl:cuda against libtorch:cuda
  peer       grids: libtorch:cuda against libtorch:cpu
  memcheck   compute-sanitizer over ci/gpu/sanitizer.cases; its control first
  racecheck  the same
  bench      upcast bench gpu, 2^10 to 2^30 elements
  summary    the results folder: summary.md, environment.txt, bench.json, logs, run stores
all: build check bench memcheck racecheck ours peer summary. FOLDER: $OUT, else .gpu/out.
To go on on another machine, unpack stores.tar.gz* and logs.tar.gz of FOLDER here first, and carry .gpu.
EOF
}

needs_gpu() {
  local why
  why=$(nvidia-smi -L 2>&1) || true
  [[ $why == GPU* ]] ||
    die "step '$1' needs a GPU, and there is none here ($(head -n 1 <<< "$why")); carry and build do not"
}
needs_build() { [[ -x $bin/upcast-worker ]] || die "build/bin/upcast-worker is missing; run ci/gpu.sh build first"; }

# left <step>: prints the seconds that this script has left; ends the script if there are none.
left() {
  local seconds=$((deadline - SECONDS))
  ((seconds > 5)) || out_of_time "$1"
  echo $seconds
}
out_of_time() {
  echo "gpu.sh: the time was over in step '$1'; run the same command again to resume" >&2
  exit 3
}

# inputs: prints a digest of everything that the result of a step depends on: programs, scripts, GPU and driver.
inputs() {
  { sha256sum $bin/{upcast,upcast-worker,upcast-bench,impl.cuda,impl.cuda_kernels,oracle.libtorch} build/lib/upcast/libupcast_cuda.so ci/gpu.sh ci/gpu/* | cut -d ' ' -f 1
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; } | sha256sum | cut -d ' ' -f 1
}

# once <name> <command...>: runs the command, unless it has finished for the same inputs. Its output goes to a log; its exit code 0, 1 or 9
# (a sanitizer's) is a result, any other one a failure of the step. 124: time is up.
once() {
  local name=$1 log=$state/$1.log code=0 now
  shift
  now=$(inputs)
  if [[ -f $state/$name.done && $(head -n 1 "$state/$name.done") == "$now" ]]; then
    say "$name: done before, exit code $(tail -n 1 "$state/$name.done")"
    return
  fi
  local seconds
  seconds=$(left "$name") || exit 3
  # deletes the run store of other programs: it can be resumed with the same programs only
  [[ -f $state/$name.begun && $(< "$state/$name.begun") == "$now" ]] || rm -f "$state/$name.db"*
  rm -f "$state/$name.done"
  echo "$now" > "$state/$name.begun"
  say "$name: $*"
  ran=1
  timeout --kill-after=5 "$seconds" "$@" > "$log" 2>&1 || code=$?
  tail -n 12 "$log"
  [[ $code != 124 && $code != 137 ]] || out_of_time "$name"
  [[ $code =~ ^[019]$ ]] || { failed+=("$name: exit code $code, see $log"); return 0; }
  printf '%s\n' "$now" "$code" > "$state/$name.done"
  [[ $code == 0 ]] || differing+=("$name")
}

# ------------------------------------------------------------ files to carry to a machine that has no network

carried_packages() {  # the Debian packages to carry: the libraries of ci/packages.txt, and those that they need
  local libraries
  libraries=$(package_rows report test | cut -d ' ' -f 2 | cut -d '|' -f 1 | grep -E '^lib.*-dev$|^zlib1g-dev$|^nlohmann-json3-dev$')
  # shellcheck disable=SC2086
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
    $libraries | grep -E '^(lib|zlib|nlohmann)' |
    grep -vE '^(libc6|libc-|libc-dev|libcrypt|libgcc|libstdc\+\+|libnsl|libtirpc|linux-libc|libdb|libssl|libkrb|libgssapi|libk5|libcom-err|libkeyutils|libgomp)' |
    sort -u
}

carry() {
  command -v apt-get > /dev/null || die "carry wants a Debian system with apt-get; copy its .gpu/deb from one"
  mkdir -p "$home/deb"
  local packages
  mapfile -t packages < <(carried_packages)
  ((${#packages[@]} > 5)) || die "apt knows no packages; run apt-get update first"
  say "fetching ${#packages[@]} packages into .gpu/deb"
  rm -f "$home"/deb/*.deb
  (cd "$home/deb" && apt-get download -qq -o APT::Sandbox::User=root "${packages[@]}") ||
    die "apt-get download failed; run apt-get update first"
  local deb
  for deb in "$home"/deb/*%*; do mv "$deb" "${deb//%3a/_}"; done  # removes %3a from file names, because not every tool that carries files takes a %
  say "$(find "$home/deb" -name '*.deb' | wc -l) packages, $(du -sh "$home/deb" | cut -f 1): carry .gpu"
}

unpack() {  # unpacks .gpu/deb into .gpu/root; a link to an absolute path becomes one to that path below .gpu/root
  local deb link target
  [[ -n $(find "$home/deb" -name '*.deb' 2> /dev/null) ]] || return 0
  [[ $home/root -nt $home/deb ]] && return
  command -v dpkg-deb > /dev/null || die "dpkg-deb is missing, which unpacks .gpu/deb; install the libraries of ci/packages.txt"
  rm -rf "$home/root"
  mkdir -p "$home/root"
  for deb in "$home"/deb/*.deb; do
    dpkg-deb -x "$deb" "$home/root" || die "cannot unpack $deb; run ci/gpu.sh carry again"
  done
  while read -r link; do
    target=$home/root$(readlink "$link")
    [[ ! -e $target ]] || ln -sfn "$target" "$link"
  done < <(find "$home/root" -type l -lname '/*')
  touch "$home/root"
}

# --------------------------------------------------------------------------------------------------------- steps

find_torch() {
  [[ -z ${LIBTORCH:-} ]] || return 0
  LIBTORCH=$(python3 -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' 2> /dev/null) ||
    LIBTORCH=$(find "$cache" -maxdepth 2 -path '*/libtorch-*/torch' 2> /dev/null | sort -V | tail -n 1)
  [[ -n $LIBTORCH ]] || die "no torch is installed: pip install torch, or set LIBTORCH"
  export LIBTORCH
}

build() {
  unpack
  find_torch
  [[ -n ${CUDA_HOME:-} ]] || command -v nvcc > /dev/null || [[ ! -x /usr/local/cuda/bin/nvcc ]] || export CUDA_HOME=/usr/local/cuda
  local seconds code=0 log=$state/build.log architecture
  architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -n 1 | tr -d .) || true
  [[ $architecture =~ ^[0-9]+$ ]] || architecture=90
  say "against $LIBTORCH"
  cmake --preset release -DUPCAST_ENABLE_CUDA=ON "-DLIBTORCH=$LIBTORCH" \
    "-DCMAKE_PREFIX_PATH=$home/root/usr;$home/root" "-DUPCAST_CUDA_ARCHITECTURES=${UPCAST_CUDA_ARCHITECTURES:-$architecture}" \
    > "$log" 2>&1 || { tail -n 20 "$log" >&2; die "cannot configure (all of it: $log); run ci/gpu.sh carry where there is a network, and carry .gpu"; }
  grep -E '^-- (CUDA|Found LibTorch)' "$log"
  seconds=$(left build) || exit 3
  timeout "$seconds" cmake --build build --parallel "$(nproc)" \
    --target upcast upcast-worker upcast_cuda_module upcast-bench impl.cuda impl.cuda_kernels oracle.libtorch >> "$log" 2>&1 || code=$?
  [[ $code != 124 ]] || out_of_time build
  [[ $code == 0 ]] || { grep -E 'error|FAILED' "$log" | head -n 20 >&2; die "the build failed (all of it: $log)"; }
  say "built in ${SECONDS} s: $($bin/upcast --version 2> /dev/null || echo upcast)"
}

check() {
  once check-kernels $bin/impl.cuda_kernels --gtest_brief=1
  once check-emulated $bin/impl.cuda --gtest_brief=1
  once check-libtorch $bin/oracle.libtorch --gtest_brief=1 '--gtest_filter=*Cuda*:*CUDA*:*TensorBridge*'
  once check-cases $bin/upcast run --cases ci/gpu/sanitizer.cases --subject impl:cuda --oracle libtorch:cuda \
    --jobs 1 --time-limit 60 --json "$state/check-cases.json"
  once check-large $bin/upcast run --cases ci/gpu/large.cases --subject impl:cuda --oracle libtorch:cuda \
    --jobs 1 --time-limit 300 --json "$state/check-large.json"
}

compare() {  # compare <name> <subject> <oracle>: runs the grids, smallest first
  local grid
  for grid in "${grids[@]}"; do
    once "$1-$grid" $bin/upcast run --grid "$grid" --subject "$2" --oracle "$3" --jobs "$jobs" --time-limit 60 \
      --out "$state/$1-$grid.db" --json "$state/$1-$grid.json"
  done
}
ours() { compare ours impl:cuda libtorch:cuda; }
peer() { compare peer libtorch:cuda libtorch:cpu; }

sanitize() {  # sanitize <tool>: compute-sanitizer's tool must find planted faults, and none in our kernels
  local tool=$1 sanitizer nvcc
  sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
  [[ -x $sanitizer ]] || die "step '$tool' needs compute-sanitizer; set PATH to the CUDA toolkit's bin"
  nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
  [[ -x $state/sanitizer_control ]] ||
    "$nvcc" -arch=native -lineinfo ci/gpu/sanitizer_control.cu -o "$state/sanitizer_control" || die "nvcc cannot build the control"
  # shellcheck disable=SC2016
  once "$tool-control" bash -c '"$@"; [[ $? == 9 ]]' - "$sanitizer" --tool "$tool" --error-exitcode 9 \
    "$state/sanitizer_control" "$tool"
  # The oracle is our CPU engine, because compute-sanitizer would also check LibTorch's kernels on the GPU.
  once "$tool" "$sanitizer" --tool "$tool" --target-processes all --error-exitcode 9 \
    $bin/upcast run --cases ci/gpu/sanitizer.cases --subject impl:cuda --oracle impl:cpu --jobs 1 --time-limit 300 \
    --json "$state/$tool.json"
}
memcheck() { sanitize memcheck; }
racecheck() { sanitize racecheck; }

bench() {
  local size
  nvidia-smi --query-gpu=timestamp,clocks.sm,clocks.mem,temperature.gpu,power.draw --format=csv -l 1 >> "$state/clocks.csv" &
  clocks=$!
  for size in "${bench_sizes[@]}"; do
    once "bench-$size" $bin/upcast bench gpu --filter " 2^$size" --json "$state/bench-$size.json"
  done
  kill "$clocks" 2> /dev/null || true
  clocks=
}

environment() {
  echo "date      $(date -u +%FT%TZ)"
  echo "source    $(git rev-parse HEAD 2> /dev/null || echo "a plain copy, digest $(find impl oracle bench cases tools -type f -print0 |
    sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16)")"
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,clocks.sm,clocks.mem,power.limit --format=csv
  grep -m 1 'model name' /proc/cpuinfo
  sed -n 's/^PRETTY_NAME=//p' /etc/os-release
  uname -r
  "${CUDA_HOME:+$CUDA_HOME/bin/}nvcc" --version 2> /dev/null | tail -n 2
  c++ --version | head -n 1
  cmake --version | head -n 1
  grep -E '^-- (CUDA|Found LibTorch)' "$state/build.log" 2> /dev/null
}

summary() {
  mkdir -p "$out"
  environment > "$out/environment.txt" 2>&1 || true
  python3 ci/gpu/summary.py "$state" "$out" "$(inputs)"
  tar czf "$out/logs.tar.gz" --exclude='*.db*' --exclude=sanitizer_control .gpu/state
  # at most 8 files of 16 MiB each can come back from the machine; four of them hold run stores, the smallest first
  local stores=() size total=0 store
  rm -f "$out"/stores.tar.gz.*
  while read -r size store; do
    total=$((total + size))
    if ((total < 58 << 20)); then stores+=("$store"); else say "$store does not fit into the results"; fi
  done < <(find .gpu/state -name '*.db' -printf '%s %p\n' | sort -n)
  ((${#stores[@]} == 0)) || tar cz "${stores[@]}" | split -b 15M - "$out/stores.tar.gz."
  say "results in $out:"
  (cd "$out" && ls -l)
  cat "$out/summary.md"
}

out=${OUT:-$home/out}
steps=()
while (($#)); do
  case $1 in
    --out) out=${2:?--out wants a folder}; shift ;;
    all) steps+=(build check bench memcheck racecheck ours peer summary) ;;
    carry | build | check | ours | peer | memcheck | racecheck | bench | summary) steps+=("$1") ;;
    help | -h | --help) help; exit 0 ;;
    *) die "unknown step '$1'; ci/gpu.sh help lists them" ;;
  esac
  shift
done
((${#steps[@]})) || { help >&2; exit 2; }
mkdir -p "$state"
failed=()
differing=()
ran=
clocks=
finish() {  # writes the summary even if the time ran out: finished steps count
  [[ -z $clocks ]] || kill "$clocks" 2> /dev/null || true
  [[ -z $ran ]] || summary > /dev/null 2>&1 || true
}
trap finish EXIT
for step in "${steps[@]}"; do
  case $step in
    carry | build) ;;
    summary) [[ -n $(find "$state" -name '*.done') ]] || die "no step has run yet; nothing to sum up" ;;
    *) needs_gpu "$step"; needs_build ;;
  esac
  $step
done
for line in "${failed[@]}"; do echo "gpu.sh: $line" >&2; done
((${#differing[@]} == 0)) || echo "gpu.sh: differences in ${differing[*]}" >&2
((${#failed[@]} + ${#differing[@]} == 0)) || exit 1
