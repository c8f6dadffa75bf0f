import { expect, test } from 'vitest'
import { knownMessage } from './engine-messages.ts'

/** How errors of the runtime begin, in the table `RUNC`. */
const runtime =
  'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: '

test.each([
  [
    'RUNC error during container init: error mounting "tmpfs" to rootfs at "/x": mount tmpfs:/x (via /proc/self/fd/6), flags: 0xe, data: size=-5: invalid argument',
    'option of the tmpfs at /x is not valid',
  ],
  ['invalid mount config for type "tmpfs": invalid option: nope', 'a tmpfs has an option'],
  [
    'RUNC error during container init: error mounting "/tmp" to rootfs at "/proc": "/var/lib/docker/overlay2/1de4/merged/proc" cannot be mounted because it is not of type proc',
    'no mount at /proc',
  ],
  [
    'RUNC error during container init: error mounting "/tmp" to rootfs at "/proc/sys": "/var/lib/docker/overlay2/9a20/merged/proc/sys" cannot be mounted because it is inside /proc',
    'no mount at /proc/sys',
  ],
  [
    'cannot access path /var/lib/docker/volumes/a/_data/nope: lstat /var/lib/docker/volumes/a/_data/nope: no such file or directory',
    'the subpath of a mount',
  ],
  ['mount options conflict: !ReadOnly && BindOptions.ReadOnlyForceRecursive', 'contradict'],
  [
    'VolumeOptions must not be specified on mount type "bind"',
    'of the type bind cannot have VolumeOptions',
  ],
  ["invalid specification: destination can't be '/'", 'the target /'],
  ['create a: missing required option: "device"', 'no value for device'],
  ['create a: quota size requested but no quota support', 'no size of a volume'],
  ['volumes-from specification cannot be an empty string', 'volumes_from has'],
  ['Renaming a container with the same name as its current name', 'this name already'],
  ['Neither old nor new names may be empty', 'the name is empty'],
  ['invalid name: name is empty', 'the name is empty'],
  ["can't create 'AutoRemove' container with restart policy", 'cannot restart'],
  [
    "invalid restart policy: unknown policy 'nope'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'",
    'no policy nope',
  ],
  ["invalid restart policy 'nope'", 'no policy nope'],
  [
    'failed to join IPC namespace: container 8081: non-shareable IPC (hint: use IpcMode:shareable for the donor container)',
    'ipc: shareable',
  ],
  ['invalid network mode: invalid container format container:<name|id>', 'names no container'],
  ['archive/tar: invalid tar header', 'the archive is damaged'],
  ['RUN is not a valid change command', 'the instruction RUN'],
  ['No exec command specified', 'the command is empty'],
  ['no command specified', 'the image has no command'],
  ['OCI runtime exec failed: exec failed: Cwd must be an absolute path', 'an absolute path'],
  ["the working directory 'nope' is invalid, it needs to be an absolute path", 'an absolute path'],
  [
    'RUNC error during container init: mkdir /proc/nope: no such file or directory',
    'the working directory /proc/nope',
  ],
  [
    `RUNC error during container init: environment variable value can't contain null(\\x00): "A=\\x00"`,
    'null character',
  ],
  [
    'RUNC exec: "a\\x00b": executable file not found in $PATH',
    'executable file not found in the container',
  ],
  [
    'RUNC error loading seccomp filter into kernel: error patching filter: pipe2: too many open files',
    'the limit of ulimits is too low',
  ],
  [
    'RUNC error adding seccomp filter rule for syscall fsync: cannot allocate memory',
    'so little memory',
  ],
  ['invalid config for network a: invalid MAC address nope', 'mac_address is not valid'],
  [
    'failed to set up container networking: failed to add interface veth1a to sandbox: error setting interface "veth1a" MAC to "01:00:5e:00:00:01": cannot assign requested address',
    'no interface can have',
  ],
  [
    'the container-wide MAC address must match the endpoint-specific MAC address for the main network, or be left empty',
    'its first network',
  ],
  [
    'failed to set up container networking: failed to add interface veth4 to sandbox: error renaming interface "veth4" to "a/b": invalid argument',
    'interface_name is not valid',
  ],
  ['bad nameserver address nope: ParseAddr("nope"): unable to parse IP', 'dns has'],
  ['bad format for add-host: "nope"', 'name=address'],
  ['invalid host nope', 'name=address'],
  ['invalid IP address in add-host: "nope"', 'extra_hosts has an address'],
  ['failed to parse additional hosts: failed to parse IP nope', 'extra_hosts has an address'],
  [
    "conflicting options: host type networking can't be used with links. This would result in undefined behavior",
    'links cannot be used',
  ],
  [
    `interface specific sysctl setting "net.ipv4.conf.eth0.forwarding" must be supplied using driver option 'com.docker.network.endpoint.sysctls'`,
    'use driver_opts',
  ],
  [
    "unrecognised network interface sysctl 'nope'; represent 'net.X.Y.ethN.Z=V' as 'net.X.Y.IFNAME.Z=V'",
    'IFNAME',
  ],
  [
    'failed to set up container networking: failed to add interface veth7 to sandbox: /proc/sys/net/ipv4/conf/eth0/nope is not a sysctl file',
    'no kernel setting net/ipv4/conf/eth0/nope',
  ],
  [
    'error gathering device information while adding custom device "": no such file or directory',
    'devices has an entry',
  ],
  ["invalid device cgroup rule format: 'nope'", 'device_cgroup_rules'],
  [
    'RUNC error during container init: error setting cgroup config for procHooks process: failed to write "1:3 100": write /sys/fs/cgroup/blkio/docker/03/blkio.throttle.read_bps_device: no such device',
    'blkio_config',
  ],
  [
    'failed to create shim task: OCI runtime create failed: runc create failed: wrong rlimit value: RLIMIT_NOPE',
    'no limit NOPE',
  ],
  ['failed to parse ulimit: invalid ulimit type: nope', 'no limit nope'],
  [
    'RUNC error during container init: error setting rlimits for ready process: error setting rlimit type 7: invalid argument',
    'a soft limit',
  ],
  [
    'failed to create shim task: OCI runtime create failed: runc create failed: sysctl "vm.swappiness" is not in a separate kernel namespace',
    'vm.swappiness is a setting of the whole host',
  ],
  [
    'failed to create shim task: OCI runtime create failed: runc create failed: sysctl "net.ipv4.ip_forward" not allowed in host network namespace',
    'does not allow net.ipv4.ip_forward',
  ],
  [
    'You should always set the Memory limit when using Memoryswap limit, see usage',
    'requires mem_limit',
  ],
  [
    'Minimum memory limit can not be less than memory reservation limit, see usage',
    'mem_reservation',
  ],
  ['Invalid value: 500, valid memory swappiness range is 0-100', 'mem_swappiness'],
  ['Requested memory nodes are not available - requested 9, available: 0', 'memory nodes'],
  ['invalid CPU shares (-1): value must be a positive integer', 'cpu_shares must be'],
  [
    'RUNC error during container init: error setting cgroup config for procHooks process: the minimum allowed cpu-shares is 2',
    'cpu_shares must be',
  ],
  ['cpu real-time runtime cannot be higher than cpu real-time period', 'cpu_rt_runtime'],
  [
    'range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available',
    'between 0.01 and 2.00',
  ],
  ['Retries in Healthcheck cannot be negative', 'negative retries'],
  [
    'failed to create task for container: failed to initialize logging driver: gelf: cannot connect to GELF endpoint: 127.0.0.1:1 dial tcp 127.0.0.1:1: connect: connection refused',
    'reach the server of the log driver',
  ],
  [
    'failed to initialize logging driver: dial tcp 127.0.0.1:1: connect: connection refused',
    'reach the server of the log driver',
  ],
  ["error parsing option max-buffer-size: invalid size: 'nope'", 'the log driver or its'],
  ['invalid syslog facility', 'the log driver or its'],
  ["invalid fluentd-address (nope://x): unsupported scheme: 'nope'", 'the log driver or its'],
  ["must specify a value for log opt 'awslogs-group'", 'the log driver or its'],
  ['invalid --security-opt 2: "nope=1"', 'security_opt: the Engine does not know nope=1'],
  ['Unknown option nope', 'storage_opt'],
  [
    'invalid Annotations: the empty string is not permitted as an annotation key',
    'annotations has',
  ],
  [
    'invalid JSON: json: cannot unmarshal string into Go struct field .NetworkingConfig.EndpointsConfig.a.GwPriority of type int',
    'a wrong type: GwPriority',
  ],
  [
    'invalid JSON: json: cannot unmarshal number -1 into .HostConfig.ConsoleSize.1 of type uint',
    'a wrong type',
  ],
  ['"a/b/c/d": cannot parse platform specifier: invalid argument', 'linux/amd64'],
  ['invalid tag format', 'the tag of the image'],
  ['cannot import digest reference', 'a digest as its name'],
  ['invalid repository name (aaaa), cannot specify 64-byte hexadecimal strings', 'like an ID'],
  ['unknown or invalid runtime name: /usr/bin/nope', 'no such runtime: /usr/bin/nope'],
  ['invalid cgroup namespace mode: nope', 'not valid: cgroup namespace'],
  [
    'cannot join network namespace of a non running container: container a is exited',
    'whose network is shared is not running',
  ],
])('%s', (theirs, ours) => {
  const text = knownMessage(theirs.replace(/^RUNC /, runtime))
  expect(text).toContain(ours)
  expect(text).not.toMatch(/overlay2|docker\/volumes|127\.0\.0\.1/)
})
