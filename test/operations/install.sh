#!/usr/bin/env bash
# Installs what the end-to-end tests of operation need: HAProxy, Prometheus and Redis from Debian (needs root), and the schemas of Kubernetes
# in a Python environment. Safe to repeat; what is there is left alone.
set -euo pipefail
cd "$(dirname "$0")"

cache=${OPERATIONS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gopher-mcp-operations}

say() { printf 'operations: %s\n' "$*" >&2; }

missing=()
for package in haproxy prometheus redis-server python3-venv; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  say "apt-get install ${missing[*]}"
  apt-get update -qq
  # Their services must not start: they would listen on the standard ports of every address.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${missing[@]}" >&2
fi

environment=$cache/kubernetes-validate
if ! cmp -s requirements.txt "$environment/installed.txt"; then
  say 'pip install kubernetes-validate'
  rm -rf "$environment"
  /usr/bin/python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --no-deps --disable-pip-version-check -r requirements.txt
  cp requirements.txt "$environment/installed.txt"
fi
say 'all installed'
