#!/usr/bin/env bash
# ci/build.sh [preset=dev] [target...]: configures the preset, then builds the targets (default: all).
source "$(dirname "$0")/common.sh"
preset=${1:-dev}
shift || true
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" > "$log" 2>&1 || {
  cat "$log" >&2
  die "cannot configure preset '$preset'; run ci/setup.sh first"
}
cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
