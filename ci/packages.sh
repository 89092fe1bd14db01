# shellcheck shell=bash
# Sourced, after common.sh, by what installs or carries the system's packages. Reads ci/packages.txt.

# package_rows <purpose>...: prints "<provides> <packages>" for each row of ci/packages.txt that serves one of the purposes.
package_rows() {
  local wanted=" $* " purposes provides packages purpose
  while read -r purposes provides packages _; do
    [[ -n $purposes && $purposes != \#* ]] || continue
    for purpose in ${purposes//,/ }; do
      if [[ $wanted == *" $purpose "* ]]; then
        echo "$provides $packages"
        break
      fi
    done
  done < ci/packages.txt
}

# provided <provides>: whether the system has what a row provides, or one of its alternatives.
provided() {
  local alternative name folder
  for alternative in ${1//|/ }; do
    name=${alternative#*:}
    case $alternative in
      command:*) command -v "$name" > /dev/null && return ;;
      file:*) compgen -G "$name" > /dev/null && return ;;
      python:pip) python3 -m pip --version > /dev/null 2>&1 && return ;;
      python:venv) python3 -c 'import venv, ensurepip' 2> /dev/null && return ;;
      header:*)
        for folder in $(tr : " " <<< "${CPATH:-}") /usr/include "/usr/include/$(uname -m)-linux-gnu" /usr/local/include; do
          [[ -e $folder/$name ]] && return
        done
        ;;
      *) die "ci/packages.txt: '$alternative' is none of command:, header:, file:, python:pip and python:venv" ;;
    esac
  done
  return 1
}

# lacking <purpose>...: prints the rows of packages that the system lacks.
lacking() {
  local provides packages
  package_rows "$@" | while read -r provides packages; do
    provided "$provides" || echo "$provides $packages"
  done
}

# install_packages <purpose>...: installs the lacking packages by apt-get. If apt-get is missing or not permitted, prints one
# line that says which packages are lacking and how to go on.
install_packages() {
  local rows provides packages wanted=() unknown=() package candidate log
  rows=$(lacking "$@")
  [[ -n $rows ]] || return 0
  if ! command -v apt-get > /dev/null; then
    die "this system lacks $(cut -d ' ' -f 1 <<< "$rows" | paste -sd ' '): install them with its own package manager (Debian's names: $(cut -d ' ' -f 2 <<< "$rows" | paste -sd ' ')), then run this again"
  fi
  [[ $(id -u) == 0 ]] ||
    die "packages are missing; run: sudo apt-get install -y --no-install-recommends $(cut -d ' ' -f 2 <<< "$rows" | cut -d '|' -f 1 | sort -u | paste -sd ' '), then run this again"
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp "${TMPDIR:-/tmp}/upcast-apt.XXXXXX")
  apt-get update > "$log" 2>&1 || say "apt-get update failed ($(tail -n 1 "$log")); going on with the lists that are there"
  while read -r provides packages; do
    for package in ${packages//|/ }; do
      candidate=$(apt-cache policy "$package" 2> /dev/null | sed -n 's/^ *Candidate: //p')
      [[ -n $candidate && $candidate != '(none)' ]] && wanted+=("$package") && continue 2
    done
    unknown+=("$provides")
  done <<< "$rows"
  [[ ${#unknown[@]} == 0 ]] ||
    die "apt-get has no package for ${unknown[*]}: install it in another way, or add its name on this system to ci/packages.txt, then run this again"
  mapfile -t wanted < <(printf '%s\n' "${wanted[@]}" | sort -u)
  say "installing ${wanted[*]}"
  apt-get install -y --no-install-recommends "${wanted[@]}" > "$log" 2>&1 || {
    tail -n 5 "$log" >&2
    die "apt-get failed (all of its output: $log); fix that, then run this again, or: apt-get install -y --no-install-recommends ${wanted[*]}"
  }
  rm -f "$log"
  rows=$(lacking "$@")
  [[ -z $rows ]] ||
    die "still missing after the installation: $(cut -d ' ' -f 1 <<< "$rows" | paste -sd ' '); its package on this system has another name: install it, then run this again"
}
