#!/usr/bin/env bash
# Installs the servers: Debian packages (needs root), jetforce in a Python environment, agate with cargo. Safe to repeat; what is
# there is left alone. What does not come from Debian goes to REALSERVERS_CACHE and is kept between runs.
set -euo pipefail
cd "$(dirname "$0")"

cache=${REALSERVERS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gopher-mcp-realservers}
agate_version=3.3.25
# agate's sources are of the edition 2024.
rust_minor_needed=85

say() { printf 'realservers: %s\n' "$*" >&2; }

apt_install() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "apt-get install ${missing[*]}"
  # An old package list leads to versions that the mirror no longer has.
  apt-get update -qq
  # Their services must not start: a server started here would listen on the standard port of every address.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

rust_is_new_enough() {
  command -v cargo >/dev/null && command -v rustc >/dev/null || return 1
  local minor
  minor=$(rustc --version | sed -nE 's/^rustc 1\.([0-9]+)\..*/\1/p')
  [ -n "$minor" ] && [ "$minor" -ge "$rust_minor_needed" ]
}

ensure_rust() {
  rust_is_new_enough && return
  say "cargo is missing or older than 1.$rust_minor_needed"
  # Debian 12 has a current toolchain under these names (it builds the browsers); later releases have it as cargo itself.
  if apt-cache show cargo-web >/dev/null 2>&1; then
    apt_install cargo-web rustc-web gcc libc6-dev
  else
    apt_install cargo rustc gcc libc6-dev
  fi
  PATH=/usr/bin:$PATH
  hash -r
  rust_is_new_enough || { say "no Rust toolchain of 1.$rust_minor_needed or newer is to be had: agate cannot be built"; exit 1; }
}

install_jetforce() {
  local environment=$cache/jetforce
  if ! cmp -s requirements.txt "$environment/installed.txt"; then
    say 'pip install jetforce'
    rm -rf "$environment"
    /usr/bin/python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --no-deps --disable-pip-version-check -r requirements.txt
    cp requirements.txt "$environment/installed.txt"
  fi
}

install_agate() {
  local prefix=$cache/agate-$agate_version
  if [ ! -x "$prefix/bin/agate" ]; then
    ensure_rust
    say 'cargo install agate (one or two minutes)'
    cargo install agate --version "$agate_version" --locked --quiet --root "$prefix"
  fi
  ln -sfn "$prefix/bin/agate" "$cache/agate"
}

mkdir -p "$cache"
apt_install gophernicus pygopherd molly-brown gopher redis-server socat iproute2 util-linux python3-venv
install_jetforce
install_agate
say 'all installed'
