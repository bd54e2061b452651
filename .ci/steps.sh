# Sourced by run and long: named steps with a log each, test counts, and the closing line.

set -uo pipefail
export CI=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

logs=$(mktemp -d)
passed=0
failed=0

# step NAME COMMAND...: quiet while it works; a failure shows the end of what it printed.
step() {
  local name=$1 began=$SECONDS
  shift
  if "$@" >"$logs/$name.log" 2>&1 </dev/null; then
    passed=$((passed + 1))
    printf 'ok      %-26s %4d s\n' "$name" $((SECONDS - began))
  else
    failed=$((failed + 1))
    printf 'FAILED  %-26s %4d s\n' "$name" $((SECONDS - began))
    tail -n "${CI_TAIL_LINES:-80}" "$logs/$name.log" | sed 's/^/    | /'
    return 1
  fi
}

# tests NAME NODE_MAJOR COMMAND...: a step that runs jest under that Node version; its tests are counted one by one.
tests() {
  local name=$1 major=$2
  shift 2
  step "$name" with_node "$major" "$@" --json --outputFile="$logs/$name.json"
  local status=$? counts
  counts=$(node -e '
    const result = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    const bad = result.numFailedTests + result.numRuntimeErrorTestSuites;
    console.log(result.numPassedTests, bad, result.numPendingTests + result.numTodoTests);
  ' "$logs/$name.json" 2>/dev/null) || return 1
  local good bad left_out
  read -r good bad left_out <<<"$counts"
  passed=$((passed + good))
  failed=$((failed + bad))
  printf '        %-26s %4d good, %d bad, %d left out\n' "" "$good" "$bad" "$left_out"
  return $status
}

# counted NAME COMMAND...: a step that ends with a line "N passed, N failed" of its own, which are counted one by one.
counted() {
  local name=$1 status good bad
  step "$@"
  status=$?
  read -r good bad < <(sed -n '$s/^\([0-9]\+\) passed, \([0-9]\+\) failed$/\1 \2/p' "$logs/$name.log") || return 1
  passed=$((passed + good))
  failed=$((failed + bad))
  printf '        %-26s %4d good, %d bad\n' "" "$good" "$bad"
  return $status
}

# with_node MAJOR COMMAND...: the machine's own Node where it is of that version, else the one from the npm package.
with_node() {
  local major=$1
  shift
  if [ "$(node -p 'process.versions.node.split(".")[0]')" = "$major" ]; then
    "$@"
  else
    PATH="$(node_folder "$major"):$PATH" "$@"
  fi
}

node_folder() {
  printf '%s/node_modules/node-linux-%s/bin' "$node_cache/$1" "$(node -p process.arch)"
}

# Outside the repository: as a dependency its `node` would shadow the real one in every npm script. Not in root's home: tests of file
# permissions run it as another user.
node_cache=${XDG_CACHE_HOME:-$HOME/.cache}/gopher-mcp-node
[ "$(id -u)" != 0 ] || node_cache=/var/cache/gopher-mcp-node

install_node() {
  local major=$1
  [ "$(node -p 'process.versions.node.split(".")[0]')" = "$major" ] && return
  [ -x "$(node_folder "$major")/node" ] || npm install --prefix "$node_cache/$major" "node-linux-$(node -p process.arch)@$major"
  "$(node_folder "$major")/node" --version
}

# Ends the script. The last line is what is read by machines.
finish() {
  [ "$failed" = 0 ] || printf 'logs: %s\n' "$logs"
  printf 'took %d s\n' "$SECONDS"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ]
  exit
}
