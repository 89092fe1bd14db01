#!/usr/bin/env bash
# ci/setup.sh [PURPOSE...]: gets what a purpose needs, and nothing else. Purposes: report, test (default), fuzz, scale, gpu, lint.
#   report   the compiler and libraries (ci/packages.txt), LibTorch (ci/libtorch.txt) and, where the machine has no
#            CUDA 13, the two CUDA libraries that it loads (ci/cuda_runtime.txt); what draws plots (ci/uplot.txt)
#   test     report, and what the tests run: GoogleTest, RapidCheck, browsers, a CUDA compiler, readers and linters
#   fuzz     report, and libFuzzer
#   scale    fuzz, and what campaigns of many machines or engines take: AFL++, valgrind, Slurm, ClusterFuzz
#   gpu      report, and a CUDA compiler (ci/cuda_toolkit.txt), unless UPCAST_WITHOUT_CUDA is set
#   lint     clang-tidy
# Idempotent: when nothing is missing it takes a fraction of a second and no network. LIBTORCH and CUDA_HOME name your
# own; UPCAST_LIBTORCH_PIN names another pin than ci/libtorch.txt; UPCAST_SKIP_PACKAGES=1 leaves the system's packages alone.
source "$(dirname "$0")/common.sh"
source ci/fetch.sh
source ci/packages.sh
set -E  # the trap of errors then also works within functions
trap 'echo "setup.sh: stopped at line $LINENO ($BASH_COMMAND); this is a fault of the script: please report it" >&2' ERR

setup_libtorch() {
  if [[ -n ${LIBTORCH:-} ]]; then
    libtorch=$LIBTORCH
    [[ -d $libtorch/torch ]] && libtorch+=/torch
    [[ -f $libtorch/lib/libtorch_cpu.so ]] ||
      die "LIBTORCH=$LIBTORCH holds no lib/libtorch_cpu.so; unset it to use the pinned wheel"
    return
  fi
  [[ $(uname -m) == x86_64 ]] || die "the pinned LibTorch is for x86_64; set LIBTORCH to one for $(uname -m)"
  local pins=${UPCAST_LIBTORCH_PIN:-ci/libtorch.txt}
  [[ -f $pins ]] || die "UPCAST_LIBTORCH_PIN=$pins is no file; ci/libtorch.txt and ci/gpu/libtorch.txt are"
  libtorch=$cache/libtorch-$(pinned "$pins")
  # Unpacks LibTorch and its Python half, without their parts for CUDA (ci/torch_python.py makes torch importable).
  local python_half=('torch/*.py' 'torchgen/*.py' 'torch/_C.*.so' torch/lib/{libtorch_python,libshm,libtorch,libtorch_global_deps}.so
    torch/bin/torch_shm_manager)
  fetch "$pins" "$libtorch" 'torch/include/*' torch/lib/{libtorch_cpu.so,libc10.so,libgomp.so.1} \
    'torchgen/packaged/ATen/native/*.yaml' "${python_half[@]}"
  if [[ ! -e $libtorch/torch/__init__.py ]]; then  # adds the Python half to a cache that an older version of this script filled
    fetch "$pins" "$libtorch-python" "${python_half[@]}"
    cp -r --no-clobber "$libtorch-python/." "$libtorch/"
    rm -rf "$libtorch-python"
  fi
  libtorch+=/torch
}

# Fetches the two CUDA libraries that LibTorch loads, unless the machine has them. cmake/FindLibTorch.cmake looks in the same folders.
setup_cuda_runtime() {
  local nvcc root library folder
  nvcc=$(command -v nvcc || true)
  for library in libcudart.so.13 libcupti.so.13; do
    for root in "$libtorch" "$libtorch/../nvidia/cu13" "${CUDA_HOME:-/nowhere}" "${nvcc%/bin/nvcc}"; do
      for folder in lib64 extras/CUPTI/lib64 lib; do
        [[ -n $root && -e $root/$folder/$library ]] && continue 3
      done
    done
    fetch ci/cuda_runtime.txt "$cache/cuda-runtime-$(pinned ci/cuda_runtime.txt)" 'nvidia/cu13/lib/libcu*.so.13'
  done
}

# Sets the variable nvcc to a compiler of CUDA 12 or later, or to ''. cmake/FindNvcc.cmake looks in the same folders.
find_nvcc() {
  local file
  nvcc=''
  for file in "${CUDA_HOME:-/nowhere}/bin/nvcc" "$(command -v nvcc || true)"; do
    if [[ -x $file && $("$file" --version) =~ V(1[2-9]|[2-9][0-9])\. ]]; then
      nvcc=$file
      break
    fi
  done
}

# Fetches a CUDA compiler, unless the machine has one. Without it the build leaves the GPU kernels out, and says so.
setup_cuda_toolkit() {
  [[ -z ${UPCAST_WITHOUT_CUDA:-} && $(uname -m) == x86_64 ]] || return 0
  local nvcc
  find_nvcc
  [[ -n $nvcc ]] || (fetch ci/cuda_toolkit.txt "$cache/cuda-toolkit-$(pinned ci/cuda_toolkit.txt)" \
    'nvidia/cu13/*' -x '*/libnvvm.so.*') || say "the GPU kernels will be left out"
}

setup_cuda_disassembler() {
  [[ -z ${UPCAST_WITHOUT_CUDA:-} && $(uname -m) == x86_64 ]] || return 0
  local nvcc
  find_nvcc
  [[ -n $nvcc && -x ${nvcc%nvcc}cuobjdump && -x ${nvcc%nvcc}nvdisasm ]] ||
    (fetch ci/cuda_disassembler.txt "$cache/cuda-disassembler-$(pinned ci/cuda_disassembler.txt)" \
      'nvidia/cu13/bin/*') || say "the tests of the kernels' machine code will be left out"
}

# Fetches uPlot, which draws the report's plots, into the folder in which cmake/FindUPlot.cmake looks.
setup_uplot() {
  (fetch ci/uplot.txt "$cache/uplot-$(pinned ci/uplot.txt)" 'uplot/static/uPlot.iife.js' 'uplot/static/uPlot.min.css') ||
    say "reports will have tables and no plots"
}

# Fetches the readers of output formats into the folder in which reports/outputs/readers_test.py looks.
setup_readers() {
  (fetch ci/readers.txt "$cache/readers-$(pinned ci/readers.txt)" '*') ||
    say "the test that reads the outputs with other programs will be skipped"
  (fetch ci/schemastore.txt "$cache/schemastore-$(pinned ci/schemastore.txt)" 'schemastore/cache.sqlite') ||
    say "SARIF will not be checked against its schema"
}

# Fetches pytest into the folder in which oracle/frameworks/python/testing/pytest_test.py looks.
setup_pytest() {
  (fetch ci/pytest.txt "$cache/pytest-$(pinned ci/pytest.txt)" '*') ||
    say "the test of the pytest plugin will be skipped"
}

# Fetches the linters of workflow files into the folder in which ci/workflow_checks.py looks.
setup_workflow_linters() {
  (fetch ci/workflow_linters.txt "$cache/workflow-linters-$(pinned ci/workflow_linters.txt)" '*/scripts/*') ||
    say "the test of the workflow files will be skipped"
}

# Fetches the tools that make a wheel into the folder in which ci/wheel.sh looks. That script fetches them itself if they are missing.
setup_wheel_tools() {
  (fetch ci/wheel.txt "$cache/wheel-tools-$(pinned ci/wheel.txt)" '*') ||
    say "the tests of the wheel will be skipped"
}

# Fetches the modules that torch imports in Python (ci/torch_python.py), and those of PyTorch's OpInfo (ci/opinfo.sh).
setup_torch_python() {
  (fetch ci/torch_python.txt "$cache/torch-python-imports-$(pinned ci/torch_python.txt)" '*' &&
    fetch ci/opinfo.txt "$cache/opinfo-$(pinned ci/opinfo.txt)" '*') ||
    say "the tests that run PyTorch's Python half will be skipped"
}

# Fetches the smallest of the frameworks, so that CI runs one adapter. ci/frameworks.sh NAME fetches the others.
setup_numpy() {
  ci/frameworks.sh numpy || say "the test that holds python:numpy to its table will be skipped"
}

# Fetches ClusterFuzz into the folder in which ci/oss-fuzz/batch.py looks.
setup_clusterfuzz() {
  (fetch ci/clusterfuzz.txt "$cache/clusterfuzz-$(pinned ci/clusterfuzz.txt)" '*' -x 'googleapiclient/discovery_cache/documents/*') ||
    say "the test that runs a fuzz target as ClusterFuzz does will be skipped"
}

purposes=(report)
for purpose in "${@:-test}"; do
  case $purpose in
    report | test | fuzz | gpu | lint) purposes+=("$purpose") ;;
    scale) purposes+=(fuzz scale) ;;
    *) die "unknown purpose '$purpose'; one of report, test, fuzz, scale, gpu, lint" ;;
  esac
done
# serves <purpose>...: whether the user asked for one of these purposes.
serves() {
  local purpose
  for purpose in "$@"; do [[ " ${purposes[*]} " == *" $purpose "* ]] && return; done
  return 1
}

[[ -n ${UPCAST_SKIP_PACKAGES:-} ]] || install_packages "${purposes[@]}"
setup_libtorch
setup_cuda_runtime
setup_uplot
if serves test gpu; then setup_cuda_toolkit; fi
if serves test; then
  setup_cuda_disassembler
  setup_readers
  setup_pytest
  setup_workflow_linters
  setup_wheel_tools
  setup_torch_python
  setup_numpy
fi
if serves scale; then setup_clusterfuzz; fi
