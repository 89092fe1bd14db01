#!/usr/bin/env bash
# ci/check_links.sh <command>: fails if the command is linked with LibTorch, since it must start without it.
source "$(dirname "$0")/common.sh"
linked=$(readelf -d "$1" | grep -oE 'lib(torch|c10|cudart|cupti)[^]]*' || true)
[[ -z $linked ]] || die "${1##*/} is linked with $(paste -sd ' ' <<< "$linked")"
