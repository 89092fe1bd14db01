#!/usr/bin/env bash
# ci/package.sh [--of BUILD] [OUT=build/package]: makes upcast-VERSION-linux-x86_64.tar.zst in OUT: what the wheel holds, for
# machines without Python (docs/how_to/install.md). The options are those of ci/wheel.sh.
source "$(dirname "$0")/common.sh"
of=()
if [[ ${1:-} == --of ]]; then
  of=(--of "${2:?--of BUILD}")
  shift 2
fi
out=$(realpath -m "${1:-build/package}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ci/wheel.sh "${of[@]}" "$tmp"
unzip -qq "$tmp"/*.whl -d "$tmp/tree"
information=$(echo "$tmp"/tree/*.dist-info)
name=upcast-$(sed -n 's/^Version: //p' "$information/METADATA")-linux-x86_64
mv "$tmp/tree/upcast_conformance" "$tmp/$name"
rm "$tmp/$name"/*.py
cp -r "$information"/{licenses/LICENSE,sboms} "$tmp/$name/share/upcast/licenses/"
mkdir -p "$out"
(cd "$tmp" && cmake -E tar cf "$out/$name.tar.zst" --zstd "$name")  # tar itself would need the program zstd, which may be missing
say "$out/$name.tar.zst, $(du -h --apparent-size "$out/$name.tar.zst" | cut -f1)"
