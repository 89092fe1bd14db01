#!/usr/bin/env bash
# ci/frameworks.sh NAME[==VERSION]...: puts Python frameworks into environments of their own, so that
# python:NAME[==VERSION] can be a subject or an oracle. Without arguments it lists what there is.
# ci/frameworks/NAME.txt pins every package of an environment, by the hashes of its wheels for CPython 3.11 on x86_64 (Debian 12).
# Another Python gets these versions without a check of hashes. Another VERSION is installed as PyPI resolves it today.
source "$(dirname "$0")/common.sh"
frameworks=$cache/frameworks

names() { for file in ci/frameworks/*.txt; do basename "$file" .txt; done; }

list() {
  local name
  for name in $(names); do
    if [[ -x $frameworks/$name/bin/python ]]; then
      echo "$name $(readlink "$frameworks/$name") is there"
    else
      echo "$name==$(pinned "ci/frameworks/$name.txt") is not there"
    fi
  done
}

# Whether this Python takes the wheels whose hashes are pinned.
has_hashes() {
  python3 -c 'import platform, sys
sys.exit((sys.implementation.name, sys.version_info[:2], platform.machine()) != ("cpython", (3, 11), "x86_64"))'
}

# requirements NAME VERSION: prints the requirements of an environment, in the form of a requirements file
requirements() {
  local file=ci/frameworks/$1.txt
  if [[ $2 == "$(pinned "$file")" ]]; then
    if has_hashes; then
      grep -v '^#' "$file"
    else
      sed '/^#/d; s/ --hash=.*//' "$file"
    fi
  else  # prints the framework in another version than the pinned one, and the packages that it requires
    sed -n "/^[^#]/{s/==.*/==$2/p;q}" "$file"
    sed -n 's/^# with //p' "$file"
  fi
}

install() {
  local name=${1%%==*} version='' wanted tmp python
  [[ -f ci/frameworks/$name.txt ]] || die "no framework $name; there are $(names | paste -sd ' ')"
  [[ $1 == *==* ]] && version=${1#*==}
  version=${version:-$(pinned "ci/frameworks/$name.txt")}
  wanted=$(requirements "$name" "$version")
  local folder=$frameworks/$name-$version
  if [[ ! -f $folder/.complete || $(< "$folder/.complete") != "$wanted" ]]; then
    mkdir -p "$frameworks"
    exec 9> "$frameworks/.lock"  # locks the cache: two clones of the repository may install at once
    flock 9
    say "installing $name $version into $folder"
    local checked=()
    if [[ $wanted == *--hash=* ]]; then
      checked=(--require-hashes --no-deps)  # the pins list every package, so pip need not look for more
    else
      say "its hashes are not checked, because the version or the Python is not the pinned one"
    fi
    rm -rf "$folder"
    tmp=$(mktemp -d "$frameworks/.tmp.XXXXXX")
    # shellcheck disable=SC2064
    trap "rm -rf '$tmp'" EXIT
    python=$(command -v python3) || die "python3 is missing; run ci/setup.sh"
    "$python" -m venv "$folder" > "$tmp/log" 2>&1 ||
      die "cannot make an environment: $(tail -n 1 "$tmp/log"); install python3-venv"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: "${checked[@]}" \
      -r <(echo "$wanted") > "$tmp/log" 2>&1 || {
      rm -rf "$folder"
      die "pip cannot install $name $version: $(grep -v '^$' "$tmp/log" | tail -n 1)"
    }
    echo "$wanted" > "$folder/.complete"
    rm -rf "$tmp"
    exec 9>&-
  fi
  if [[ $version == "$(pinned "ci/frameworks/$name.txt")" ]]; then
    ln -sfn "$name-$version" "$frameworks/$name"
  fi
}

if [[ $# == 0 ]]; then
  list
fi
for framework in "$@"; do install "$framework"; done
