#!/usr/bin/env bash
# ci/build.sh [preset=dev] [target...]: configures the preset, builds the targets (default: all), and prints how long the slowest steps took.
source "$(dirname "$0")/common.sh"
preset=${1:-dev}
shift || true
log=$(mktemp)
trap 'rm -f "$log"' EXIT
began=$(date +%s)
cmake --preset "$preset" > "$log" 2>&1 || {
  cat "$log" >&2
  die "cannot configure preset '$preset'; run ci/setup.sh first"
}
folder=$(sed -n 's/^-- Build files have been written to: //p' "$log")
NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
python3 ci/build_times.py "$folder/.ninja_log" "$began" | tee "$folder/build_times.txt"
