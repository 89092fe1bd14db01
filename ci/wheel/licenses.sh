#!/usr/bin/env bash
# ci/wheel/licenses.sh PROGRAMS OUT: copies into OUT the licences of the libraries of others that the programs use, by Debian package.
set -euo pipefail
mkdir -p "$2"
compiled_in=(libcli11-dev libexpected-dev nlohmann-json3-dev)  # headers only
mapfile -t libraries < <(ldd "$1"/* | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u | xargs -r realpath)
mapfile -t packages < <(dpkg -S "${libraries[@]}" 2> /dev/null | sed 's/:.*//' | sort -u)
for package in "${packages[@]}" "${compiled_in[@]}"; do
  cp "/usr/share/doc/$package/copyright" "$2/$package"
done
