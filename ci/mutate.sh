#!/usr/bin/env bash
# Runs mutation testing: ci/mutate.sh [all|fast|list] [options]; see docs/how_to/mutation_testing.md.
source "$(dirname "$0")/common.sh"
exec python3 tools/mutation/mutate.py "$@"
