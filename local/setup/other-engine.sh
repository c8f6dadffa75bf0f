# Runs a program with another version of the Docker Engine, inside namespaces of its own:
# other-engine.sh <directory for data> <directory of the unpacked packages> <program> [argument …]
set -eu
place=$1
packages=$2
shift 2
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm
mkdir -p /run/lock
for directory in /etc/docker /tmp /var/log /var/lib/docker /var/lib/containerd; do
  mkdir -p "$directory" "$place$directory"
  mount --bind "$place$directory" "$directory"
done
chmod 1777 /tmp
if [ "${ENGINE_CGROUP:-}" = 2 ]; then
  umount --recursive /sys/fs/cgroup
  mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi
ip link set lo up
export PATH="$packages/usr/sbin:$packages/usr/bin:$PATH"
# Processes that lose their parents become children of this one, which has to wait for them.
exec docker-init -- "$@"
