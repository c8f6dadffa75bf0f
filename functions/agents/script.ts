/**
 * Returns a POSIX shell script that installs and enrols an agent of the service at `base`. The
 * script changes nothing before it has checked the machine, and can be run again.
 */
export function installScript(base: string): string {
  const server = `'${base.replace(/'/g, '')}'`
  return `#!/bin/sh
set -eu
server=\${AGENT_SERVER:-${server}}
home=\${AGENT_HOME:-/usr/local/lib/container-stacks-agent}
data=\${AGENT_DATA_DIR:-/var/lib/container-stacks-agent}

fail() { echo "agent: $1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'run this as root'
[ -n "\${AGENT_TOKEN:-}" ] || fail 'AGENT_TOKEN is not set: set it to the one-time token'
node=$(command -v node) || fail 'Node.js 20.19 or newer is needed'
version=$("$node" --version)
version=\${version#v}
major=\${version%%.*}
minor=\${version#*.}
minor=\${minor%%.*}
[ "$major" -gt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -ge 19 ]; } ||
  fail "Node.js 20.19 or newer is needed, this is $version"

mkdir -p "$home"
curl -fsSL "$server/api/v1/agents/agent.mjs" -o "$home/agent.mjs.new"
mv "$home/agent.mjs.new" "$home/agent.mjs"
"$node" "$home/agent.mjs" enrol --server "$server" --data "$data"

if [ ! -d /run/systemd/system ]; then
  echo "systemd is not running. Keep this command running: $node $home/agent.mjs run --data $data"
  exit 0
fi
# ProtectHome would hide a Node.js that is installed in a home directory.
protect=true
case $(readlink -f "$node") in /home/* | /root/*) protect=false ;; esac
cat > /etc/systemd/system/container-stacks-agent.service <<UNIT
[Unit]
Description=Container Stacks agent
Wants=network-online.target
After=network-online.target docker.service

[Service]
ExecStart=$node $home/agent.mjs run --data $data
Environment=MALLOC_ARENA_MAX=1
Restart=always
RestartSec=2
NoNewPrivileges=true
ProtectHome=$protect
PrivateTmp=true

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable container-stacks-agent.service
systemctl restart container-stacks-agent.service
echo 'The agent is running. Check it with: systemctl status container-stacks-agent'
`
}
