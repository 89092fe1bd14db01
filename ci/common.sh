# shellcheck shell=bash disable=SC2034
# Sourced by every script here: strict mode, repository root as working directory, one-line errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/upcast

say() { echo "${0##*/}: $*"; }
die() {  # ends the script, for a fault of the user's machine or input; the message says what to do
  echo "${0##*/}: $*" >&2
  exit 2
}
# pinned <requirements file>: prints the version of the first package that the file pins
pinned() { sed -n 's/^[^#=]*==\([^ ]*\).*/\1/p' "$1" | head -n 1; }
# stage <name> <command>...: runs the command and notes how many seconds it took; stages prints a table of all.
stage_times=""
stage() {
  local name=$1 began=$SECONDS code=0
  shift
  "$@" || code=$?
  stage_times+="${stage_times:+, }$name $((SECONDS - began)) s"
  return $code
}
stages() { say "$stage_times"; }
