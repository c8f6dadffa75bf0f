import { expect, test } from 'vitest'
import { knownMessage } from './engine-messages.ts'
import { reasonOfMessage } from './engine-reasons.ts'

const begin = {
  '': '',
  runc: 'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ',
  old: 'OCI runtime create failed: container_linux.go:380: starting container process caused: ',
}

test.each([
  [
    'runc',
    'error during container init: error mounting "/opt/a" to rootfs at "/data/x": mkdir /var/lib/docker/overlay2/abc/merged/data/x: read-only file system: unknown',
    'the mount at /data/x has no place there',
  ],
  [
    'runc',
    'error during container init: error mounting "/opt/a" to rootfs at "/data/x": create mountpoint for /data/x mount: cannot create subdirectories in "/var/lib/docker/overlay2/abc/merged/data/x": not a directory: unknown',
    'the mount at /data/x is below a file',
  ],
  [
    'runc',
    'error during container init: error mounting "proc" to rootfs at "/proc": mount proc:/proc (via /proc/self/fd/6), flags: 0xe: operation not permitted: unknown',
    'does not let the Engine mount proc',
  ],
  [
    'runc',
    'error during container init: error mounting "cgroup" to rootfs at "/sys/fs/cgroup": mount cgroup:/sys/fs/cgroup/systemd: device or resource busy: unknown',
    'mount cgroup',
  ],
  [
    'runc',
    'error mounting "/mnt/nas" to rootfs at "/media": mount /mnt/nas:/media: permission denied: unknown',
    'the source of /media: permission denied',
  ],
  [
    'runc',
    'error mounting "/opt/stacks/a/conf" to rootfs at "/etc/x.conf": mount /opt/stacks/a/conf:/etc/x.conf: not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type: unknown',
    'a mount has a directory as source',
  ],
  [
    '',
    "error while creating mount source path '/mnt/x': mkdir /mnt/x: read-only file system",
    'cannot create the source of a bind, /mnt/x: read-only file system',
  ],
  [
    '',
    "error while creating mount source path '/mnt/my nas/x': mkdir /mnt/my nas: transport endpoint is not connected",
    'cannot create the source of a bind',
  ],
  [
    '',
    "error while mounting volume '/var/lib/docker/volumes/a/_data': failed to mount local volume: mount //nas/x:/var/lib/docker/volumes/a/_data, data: username=u,password=s3cret: permission denied",
    'a volume cannot be mounted: permission denied',
  ],
  [
    '',
    "error while mounting volume '/var/lib/docker/volumes/a/_data': error resolving passed in network volume address: lookup nas on 10.0.0.1:53: no such host",
    'the name of its server is not found',
  ],
  [
    '',
    'Mounts denied: \nThe path /x is not shared from the host and is not known to Docker.',
    'not shared with the virtual machine',
  ],
  [
    '',
    'driver "overlay2" failed to remove root filesystem: unlinkat /var/lib/docker/overlay2/abc/merged: device or resource busy',
    'in use by another process',
  ],
  [
    '',
    'error creating overlay mount to /var/lib/docker/overlay2/abc/merged: no such file or directory',
    'cannot use its storage',
  ],
  [
    '',
    'failed to create rwlayer: mkdir /var/lib/docker/overlay2/abc: read-only file system',
    'cannot use its storage',
  ],
  ['', 'write /var/lib/docker/tmp/x: disk quota exceeded', 'no space left: the disk quota'],
  ['', 'open /var/lib/docker/containers/x/.tmp-config: too many open files', 'too many files open'],
  ['', 'fork/exec /proc/self/exe: cannot allocate memory', 'the host has no memory'],
  [
    '',
    'failed to create task for container: failed to start shim: start failed: io.containerd.runc.v2: create new shim socket: listen unix /run/containerd/s/x: bind: address already in use: exit status 1: unknown',
    'the Engine, or containerd',
  ],
  [
    '',
    'failed to create shim task: context deadline exceeded: unknown',
    'the Engine, or containerd',
  ],
  [
    '',
    'connection error: desc = "transport: Error while dialing dial unix:///run/containerd/containerd.sock: timeout": unavailable',
    'the Engine, or containerd',
  ],
  [
    '',
    'failed to create shim task: OCI runtime create failed: could not apply required modification to OCI specification: error modifying OCI spec: failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=all: unknown',
    'no CDI device nvidia.com/gpu=all',
  ],
  [
    '',
    'error gathering device information while adding custom device "/dev/ttyUSB0": not a device node',
    'at /dev/ttyUSB0, and no device',
  ],
  [
    'runc',
    'unable to apply cgroup configuration: mkdir /sys/fs/cgroup/memory/docker/x: no space left on device: unknown',
    'too many control groups',
  ],
  ['', 'cgroups: cgroup mountpoint does not exist: unknown', 'cannot use the control groups'],
  [
    'runc',
    'error setting cgroup config for procHooks process: failed to write "100": write /sys/fs/cgroup/cpuset/docker/x/cpuset.cpus: invalid argument: unknown',
    'does not allow a limit',
  ],
  [
    '',
    'NanoCPUs can not be set, as your kernel does not support CPU CFS scheduler or the cgroup is not mounted',
    'the kernel of the host does not support a limit',
  ],
  [
    'runc',
    'container init was OOM-killed (memory limit too low?): unknown',
    'the memory limit of the container is too low',
  ],
  ['runc', 'waiting for init preliminary setup: EOF: unknown', 'the container broke off'],
  [
    'runc',
    'exec /entrypoint.sh: no such file or directory: unknown',
    'cannot run /entrypoint.sh: it, or the interpreter',
  ],
  [
    'old',
    'exec: "/app": is a directory: permission denied: unknown',
    'a directory in the container: /app',
  ],
  ['runc', 'exec: "": executable file not found in $PATH: unknown', 'the command is empty'],
  ['runc', 'exec: "/entrypoint.sh": permission denied: unknown', 'the command is not executable'],
  ['runc', 'exec /app/run: exec format error: unknown', 'another processor'],
  [
    'runc',
    'error during container init: unable to set hostname: sethostname: invalid argument: unknown',
    'the hostname is not valid',
  ],
  [
    'runc',
    'error during container init: open /proc/sys/kernel/domainname: permission denied: unknown',
    'does not allow kernel/domainname',
  ],
  ['', "sysctl 'net.core.somaxconn=1024' is not whitelisted", 'does not allow net.core.somaxconn'],
  [
    'runc',
    'error adding seccomp filter rule for syscall bdflush: permission denied: unknown',
    'the seccomp profile',
  ],
  [
    '',
    'failed to create shim task: OCI runtime create failed: runc create failed: unable to create new parent process: namespace path: lstat /proc/0/ns/net: no such file or directory: unknown',
    'namespace is shared is not running',
  ],
  [
    '',
    'cannot stop container: x: tried to kill container, but did not receive an exit event',
    'do not end',
  ],
  ['', 'Cannot stop container x: permission denied', 'AppArmor may refuse it'],
  [
    '',
    'driver failed programming external connectivity on endpoint a (b): failed to bind host port for 0.0.0.0:80:172.18.0.2:80/tcp: address already in use',
    'the port 0.0.0.0:80 of the host is already allocated',
  ],
  [
    '',
    'failed to set up container networking: driver failed programming external connectivity on endpoint a (b): failed to bind host port [::]:53/udp: address already in use',
    'the port [::]:53 of the host is already allocated',
  ],
  [
    '',
    "driver failed programming external connectivity on endpoint a (b): error while calling PortManager.AddPort(): cannot expose privileged port 80, you can add 'net.ipv4.ip_unprivileged_port_start=80' to /etc/sysctl.conf",
    'below 1024: 80',
  ],
  [
    '',
    'driver failed programming external connectivity on endpoint a (b): Error starting userland proxy: listen tcp4 0.0.0.0:80: bind: permission denied',
    'publish the port 0.0.0.0:80',
  ],
  [
    '',
    'driver failed programming external connectivity on endpoint a (b): Error starting userland proxy: listen tcp6 [::]:80: socket: address family not supported by protocol',
    'no IPv6, which the published port [::]:80',
  ],
  [
    '',
    'failed to create endpoint a on network b: failed to add the host (veth1) <=> sandbox (veth2) pair interfaces: operation not supported',
    'reboot the host',
  ],
  [
    '',
    "no available IPv4 addresses on this network's address pools: shop_default (abc)",
    'no free address left',
  ],
  [
    '',
    'network dm-abc is already using parent interface eth0',
    'the parent interface eth0 already',
  ],
  ['', 'the requested parent interface eth9 was not found on the Docker host', 'no interface eth9'],
  [
    '',
    'cannot create network abc (br-abc): conflicts with network def (br-def): networks have overlapping IPv4',
    'the subnet overlaps',
  ],
  [
    '',
    'invalid network config:\ninvalid subnet 10.0.0.5/24: it should be 10.0.0.0/24',
    'it should be 10.0.0.0/24',
  ],
  [
    '',
    'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join"',
    'requires a swarm',
  ],
  [
    '',
    'failed to resolve reference "ghcr.io/a/b:1": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://ghcr.io/token?scope=x: 403 Forbidden',
    'unauthorized: ',
  ],
  [
    '',
    'error from registry: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
    'too many requests: ',
  ],
  ['', 'received unexpected HTTP status: 502 Bad Gateway', 'the registry has an error of its own'],
  [
    '',
    `error parsing HTTP 403 response body: invalid character '<' looking for beginning of value: "<html>"`,
    'unauthorized: ',
  ],
  ['', 'filesystem layer verification failed for digest sha256:abc', 'pull it again'],
  [
    '',
    'failed to extract layer sha256:abc to overlayfs as "x": failed to get stream processor for application/vnd.docker.image.rootfs.diff.tar.zstd: no processor for media-type: unknown',
    'too old for the format',
  ],
  [
    '',
    '[DEPRECATION NOTICE] Docker Image Format v1, and Docker Image manifest version 2, schema 1 support is disabled',
    'schema 1',
  ],
  [
    '',
    'failed to register layer: ApplyLayer exit status 1 stdout:  stderr: lchown /etc/gshadow: invalid argument',
    'cannot be unpacked',
  ],
  [
    '',
    'image with reference nginx:1 was found but does not match the specified platform: wanted linux/arm64, actual: linux/amd64',
    'another platform',
  ],
  ['', '"foo" is an unknown operating system or architecture: invalid argument', 'no platform foo'],
  [
    '',
    'failed to solve with frontend dockerfile.v0: failed to read dockerfile: open /var/lib/docker/tmp/x/Dockerfile: no such file or directory',
    'the Dockerfile is not on the host',
  ],
  [
    '',
    'the --mount option requires BuildKit. Refer to https://docs.docker.com/go/buildkit/ to learn how to build images with BuildKit enabled',
    'requires BuildKit',
  ],
  [
    '',
    "The command '/bin/sh -c echo too many open files; false' returned a non-zero code: 1",
    'failed with a non-zero code: 1',
  ],
  [
    '',
    'process "/bin/sh -c echo no such container: mounts denied" did not complete successfully: exit code: 3',
    'exit code: 3',
  ],
  [
    'runc',
    'error during container init: write /proc/sys/kernel/shmmax: invalid argument: unknown',
    'the value of kernel/shmmax',
  ],
  [
    '',
    "error while creating mount source path '/proc/a/x': mkdir /proc/a: no such file or directory",
    '/proc/a/x: no such file',
  ],
  ['', 'stat /dev/nope: no such file or directory', 'no device /dev/nope'],
  [
    '',
    'lstat /var/lib/docker/overlay2/04a3/merged/etc/passwd/x: not a directory',
    'directory /etc/passwd/x is below a file',
  ],
  ['', 'zz is not a valid mac address', 'mac_address'],
  ['', 'Invalid IPC mode: nope', 'not valid: IPC'],
  ['', 'invalid mode: nope', 'a mount has a mode'],
  ['', 'create data: invalid option: "nope"', 'does not know: nope'],
  ['', 'invalid hostPort: 99999', 'a port is not valid'],
  ['', 'bridge is a pre-defined network and cannot be removed', 'a built-in network'],
  ['', 'Unable to find group nope: no matching entries in group file', 'no group nope'],
] as const)('%s %s', (place, theirs, ours) => {
  const text = knownMessage(begin[place] + theirs)
  expect(text).toContain(ours)
  expect(text).not.toMatch(/s3cret|overlay2|docker\/volumes/)
})

test.each([
  ['failed to start shim: fork/exec x: no such file', 'engine-failed'],
  ['error creating overlay mount to /x: no such file or directory', 'engine-failed'],
  ['write /x: disk quota exceeded', 'disk-full'],
  ['received unexpected HTTP status: 502 Bad Gateway', 'registry-unreachable'],
  ['name unknown: repository not found', 'registry-refused'],
  ['unlinkat /x: device or resource busy', 'in-use'],
  ['fork/exec /proc/self/exe: cannot allocate memory', 'engine-busy'],
  // What the files ask for says nothing against the Engine.
  [`${begin.runc}exec /a: no such file or directory: unknown`, 'conflict'],
  [`${begin.runc}error mounting "/a" to rootfs at "/b": permission denied`, 'conflict'],
])('%s: %s', (theirs, reason) => {
  expect(reasonOfMessage(knownMessage(theirs), 500)).toBe(reason)
})
