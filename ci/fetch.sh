# shellcheck shell=bash
# Sourced, after common.sh, by the scripts that fill the cache.

# fetch <requirements file> <folder> <member>... [-x <member>...]: unzips members of the pinned wheels into
# the folder. pip checks the hashes. The folder appears only when it is complete. Its file .complete holds the
# pins that it was made from.
fetch() {
  local pins=$1 folder=$2 pin
  shift 2
  pin=$(grep -v '^#' "$pins")
  [[ -f $folder/.complete && $(< "$folder/.complete") == "$pin" ]] && return
  mkdir -p "$cache"
  exec 9> "$cache/.lock"  # locks the cache: two clones of the repository may run ci/setup.sh at once
  flock 9
  if [[ -f $folder/.complete && $(< "$folder/.complete") == "$pin" ]]; then
    exec 9>&-
    return
  fi
  say "fetching $(grep -o '^[^ ]*==[^ ]*' <<< "$pin" | paste -sd ' ') into $folder"
  local tmp
  rm -rf "$cache"/.tmp.*  # left by a run that was killed: while we hold the lock, no other run uses them
  tmp=$(mktemp -d "$cache/.tmp.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$tmp'" EXIT
  # pip is told the platform of the wheel, so that any version of Python 3 can fetch it.
  local python
  python=$(sed -n 's/^# python //p' "$pins")
  TMPDIR=$tmp python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps \
    --require-hashes -r "$pins" -d "$tmp/wheels" --only-binary=:all: --python-version "${python:-311}" \
    --platform=manylinux{_2_{28,25,17,12,5},2014}_x86_64 \
    > "$tmp/pip.log" 2>&1 || {
    tail -n 3 "$tmp/pip.log" >&2
    die "cannot fetch the wheels of $pins from PyPI; check the network (PIP_CERT, where a proxy has its own certificate), then run it again"
  }
  local wheel
  for wheel in "$tmp"/wheels/*.whl; do
    unzip -qq -o "$wheel" "$@" -d "$tmp/tree" 2> "$tmp/unzip.log" || {  # unzip's messages go into a log, because it warns of an -x that excludes nothing
      tail -n 3 "$tmp/unzip.log" >&2
      die "cannot unzip ${wheel##*/} into $cache: is the disk full?"
    }
  done
  echo "$pin" > "$tmp/tree/.complete"
  rm -rf "$folder"
  mv "$tmp/tree" "$folder"
  rm -rf "$tmp"
  exec 9>&-
}
