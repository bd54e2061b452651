#!/usr/bin/env bash
# Builds the image of the Dockerfile and runs it as it is meant to run: unprivileged user, read-only root, no capability, a volume for
# the state. Needs root and Debian, but neither a container engine nor an image registry: buildah builds in a chroot, on a base of
# Debian packages with Node from npm (NODE_IMAGE names another base), and the result is started with the tools of util-linux.
#
# Environment: CONTAINER_CACHE    base file system and image store, kept between runs
#              CONTAINER_PORT     port on loopback (default: a free one)
set -euo pipefail
cd "$(dirname "$0")/../.."

cache=${CONTAINER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gopher-mcp-container}
port=${CONTAINER_PORT:-$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')}
image=localhost/gopher-mcp:check
node_image=${NODE_IMAGE:-localhost/node-base:24}
work=$(mktemp -d)
server=
mounted=

say() { printf '%s\n' "$*"; }
build() { buildah --root "$cache/store" --runroot "$work/run" --storage-driver vfs "$@"; }

clean_up() {
  # The server itself, not unshare: that ignores SIGTERM, and its own death ends no child that changed its user.
  [ -z "$server" ] || kill -KILL "$(pgrep -P "$server")" 2>/dev/null || true
  [ -z "$mounted" ] || build rm "$mounted" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean_up EXIT

install_tools() {
  local missing=() tool
  for tool in buildah debootstrap; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  ((${#missing[@]})) || return 0
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# Debian with Node and npm, in the place of the official image.
make_base() {
  build inspect --type image "$node_image" >/dev/null 2>&1 && return
  [ "$node_image" = localhost/node-base:24 ] || { build pull "$node_image"; return; }
  local root=$work/base container
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$work/debootstrap.log"
  npm install --global --prefix "$root/usr/local" "node-linux-$(node -p process.arch)@24" npm@11
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
  # Behind a proxy that this machine trusts, npm has to trust it inside as well.
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$root/usr/local/lib/node_modules/npm/npmrc"
  container=$(build from scratch)
  build add --quiet "$container" "$root" / >/dev/null
  build config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  build commit --quiet --rm "$container" "$node_image" >/dev/null
}

make_image() {
  build build --isolation chroot --format docker --build-arg "NODE_IMAGE=$node_image" --file Dockerfile --tag "$image" .
}

# What the image says: user, environment, working folder, command. Read from the image, so that this checks the image.
read_config() {
  build inspect --type image "$image" >"$work/inspect.json"
  node -e '
    const { config } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).Docker;
    const lines = { user: config.User, folder: config.WorkingDir };
    for (const [name, value] of Object.entries(lines)) console.log(`image_${name}=${value}`);
    const list = (values) => values.map((value) => `\x27${value}\x27`).join(" ");
    console.log(`image_env=(${list(config.Env)})`);
    console.log(`image_command=(${list([...config.Entrypoint, ...config.Cmd])})`);
    console.log(`image_healthcheck=(${list(config.Healthcheck.Test.slice(1))})`);
  ' "$work/inspect.json" >"$work/config.sh"
  . "$work/config.sh"
}

# In namespaces of its own, so that every mount goes away with the process.
start_server() {
  mounted=$(build from "$image")
  local root
  root=$(build mount "$mounted")
  # A new named volume takes over the owner and the mode of the folder in the image.
  cp -a "$root/home/app/.local/share/gopher-mcp" "$work/state"
  unshare --mount --pid --fork sh -euc '
    root=$1 state=$2 user=$3 folder=$4
    shift 4
    mount --bind "$root" "$root"
    mount --rbind /dev "$root/dev"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/tmp"
    mount --bind "$state" "$root/home/app/.local/share/gopher-mcp"
    mount -o remount,bind,ro "$root"
    exec chroot "$root" setpriv --reuid="${user%:*}" --regid="${user#*:}" --clear-groups \
      --no-new-privs --bounding-set=-all --inh-caps=-all \
      env --ignore-environment --chdir="$folder" "$@"
  ' sh "$root" "$work/state" "$image_user" "$image_folder" \
    "${image_env[@]}" "GOPHER_MCP_PORT=$port" GOPHER_MCP_HOST=127.0.0.1 GOPHER_ALLOW_LOCAL_HOSTS=true \
    "${image_command[@]}" >"$work/server.log" 2>&1 &
  server=$!
}

# As process 1 of its namespace the server has no default action for a signal: it must handle this one itself.
stop_server() {
  local began=$SECONDS
  kill -TERM "$(pgrep -P "$server")"
  while kill -0 "$server" 2>/dev/null; do
    [ $((SECONDS - began)) -lt 10 ] || { say 'SIGTERM did not end the server'; return 1; }
    sleep 0.1
  done
  server=
  say 'stop: SIGTERM ended it'
}

install_tools
make_base
say 'base: ready'
make_image
build rmi --prune >/dev/null
say 'image: built'
read_config
start_server
say "server: started as $image_user, ${image_command[*]}"

if ! {
  node test/container/probe.mjs "http://127.0.0.1:$port" "$work/state" &&
    GOPHER_MCP_PORT=$port "${image_healthcheck[@]}" &&
    stop_server
}; then
  say 'what the server printed:'
  tail -n 40 "$work/server.log"
  exit 1
fi
