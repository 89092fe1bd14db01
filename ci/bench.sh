#!/usr/bin/env bash
# ci/bench.sh BASE [HEAD=HEAD] [option...]: builds two commits and compares their speed, in turns, in one go
# (ci/compare_commits.py says what the options are, and prints ratios with confidence intervals). `.` is the working tree.
# The worktrees and their builds stay in build/bench; `git worktree prune` forgets those that you delete.
source "$(dirname "$0")/common.sh"
[[ $# -ge 1 && $1 != -* ]] || die "which commit is the base? ci/bench.sh BASE [HEAD]"
base=$1 head=HEAD
shift
[[ $# -eq 0 || $1 == -* ]] || { head=$1 && shift; }
ci/setup.sh test

tree() {  # tree <commit>: prints the folder of the commit's worktree, under build/bench
  local folder=. sha
  if [[ $1 != . ]]; then
    sha=$(git rev-parse --short=10 --verify --quiet "$1^{commit}") || die "there is no commit '$1'"
    folder=build/bench/$sha
    [[ -d $folder ]] || git worktree add --quiet --detach "$folder" "$sha" >&2
  fi
  "$folder/ci/build.sh" ci upcast upcast-bench upcast-worker >&2
  echo "$folder/build"
}

base_build=$(tree "$base")
head_build=$(tree "$head")
python3 ci/compare_commits.py "$base_build" "$head_build" "$@"
