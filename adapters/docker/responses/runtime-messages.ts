import type { MessageRow } from './message-row.ts'

/** The path of a mount in the container. */
const target = String.raw`(?:error )?mounting "[^"\n]{0,1000}" to rootfs at "(\/[\w./@+-]{0,1000})"`

/** Errors of containerd, the container runtime and the kernel of a host. */
export const runtimeMessages: readonly MessageRow[] = [
  // The Engine itself.
  [
    /failed to start shim|create shim task: context deadline exceeded|ttrpc: closed|transport is closing|containerd\.sock|^server is shutting down|unable to retrieve OCI runtime error/i,
    'the Engine, or containerd or the runtime below it, does not work right now',
  ],
  [
    /unlinkat .*device or resource busy/,
    'the file system of the container is in use by another process of the host: try again',
  ],
  [
    /error creating (?:overlay|aufs|zfs|btrfs) mount|failed to create (?:rwlayer|prepare snapshot dir)|layer does not exist|structure needs cleaning|: input\/output error|database disk image is malformed/,
    'the Engine cannot use its storage: it may be damaged, read-only, or changed by something else',
  ],
  [/disk quota exceeded/, 'no space left: the disk quota of the Engine is used up'],
  [/file name too long/, 'a name is too long for the file system of the host'],
  [/too many open files/, 'the Engine has too many files open: raise its limit, or run less'],
  [
    /fork\/exec .*(?:resource temporarily unavailable|cannot allocate memory)/,
    'the host has no memory, or allows no more processes, for another container',
  ],
  [
    /can't get final child's PID|waiting for init preliminary setup|read init-p|procReady not received/,
    'the container broke off at its start: the host may lack memory or processes',
  ],
  [/container init was OOM-killed/, 'the memory limit of the container is too low for it to start'],
  // Mounts.
  [
    /error mounting "(cgroup2?|proc|sysfs|mqueue|devpts|tmpfs)"/,
    'the host does not let the Engine mount $1: it may run in a container with too few rights',
  ],
  [
    new RegExp(`${target}.*read-only file system`, 's'),
    'the mount at $1 has no place there: the file system or mount above it is read-only',
  ],
  [
    new RegExp(`${target}.*cannot create subdirectories in`, 's'),
    'the mount at $1 is below a file of the container, or a file has its place',
  ],
  [
    new RegExp(`${target}(?!.*Are you trying).*(?:permission denied|operation not permitted)`, 's'),
    'the host does not let the Engine mount the source of $1: permission denied',
  ],
  [
    new RegExp(`${target}(?!.*Are you trying).*no such file or directory`, 's'),
    'the source of the mount at $1 is gone',
  ],
  [
    new RegExp(`${target}.*device or resource busy`, 's'),
    'the source of the mount at $1 is busy on the host',
  ],
  [
    /creating mount source path '(\/[\w./@+-]{0,1000})': .*(read-only file system|permission denied|transport endpoint is not connected|file exists|not a directory|no such file or directory)$/,
    'the Engine cannot create the source of a bind, $1: $2',
  ],
  [/creating mount source path/, 'the Engine cannot create the source of a bind'],
  [
    /failed to mount local volume.*: (permission denied|no such file or directory|no such device|invalid argument|protocol not supported)$/s,
    'a volume cannot be mounted: $1',
  ],
  [
    /network volume address: lookup/,
    'a volume cannot be mounted: the name of its server is not found',
  ],
  [
    /mounts? denied/i,
    'the source of a mount is not shared with the virtual machine of the Engine: see its settings of file sharing',
  ],
  // Devices.
  [/unresolvable CDI devices ([\w./=,@-]{1,200})/, 'the host has no CDI device $1'],
  [/^stat (\/dev\/[\w./@:+-]{1,1000}): no such file/, 'the host has no device $1'],
  [
    /custom device "(\/[\w./@:+-]{0,1000})": not a device node/,
    'the host has a file or directory at $1, and no device',
  ],
  // Control groups and kernel settings.
  [
    /\/sys\/fs\/cgroup\/.*no space left on device/,
    'the host has too many control groups, or no processors for this one',
  ],
  [
    /cgroup mountpoint does not exist|mountpoint for (?:devices|cgroup) not found|bpf_prog_query/,
    'the Engine cannot use the control groups of the host: its version may be too old for them',
  ],
  [
    /(?:setting cgroup config|applying cgroup configuration)/,
    'the host does not allow a limit of memory, processors or processes',
  ],
  [
    /your kernel does not support|cgroup is not mounted/i,
    'the kernel of the host does not support a limit of memory, processors or processes',
  ],
  [
    /(?:\/proc\/sys\/|open sysctl )([\w./-]{1,200}?)(?: file)?: (?:.*)permission denied/,
    'sysctls: the host does not allow $1',
  ],
  [
    /\bsysctl:? ["']?([\w./-]{1,200})(?:=[^"'\n]{0,200})?["']? is not (?:whitelisted|allowed)/,
    'sysctls: the Engine does not allow $1',
  ],
  [
    /write \/proc\/sys\/([\w./-]{1,200}): (?:invalid argument|numerical result out of range)/,
    'sysctls: the value of $1 is not valid',
  ],
  [/seccomp filter/, 'the host could not apply the seccomp profile'],
  // Commands and users.
  [
    /exec (\/[\w./@+-]{1,200}): no such file or directory/,
    'the container cannot run $1: it, or the interpreter in its first line, is missing',
  ],
  [
    /exec: "(\/?[\w./@+-]{1,200})": is a directory/,
    'the command is a directory in the container: $1',
  ],
  [/exec: "": /, 'the command is empty'],
  [
    /working directory is outside of container/,
    'the working directory is outside of the file system of the container',
  ],
  [/sethostname: invalid argument|invalid hostname/, 'the hostname is not valid'],
  [/setup user: invalid argument/, 'the host does not allow the user or group of the container'],
  [/unknown userid (\d{1,10})/, 'the container has no user $1'],
  [
    /namespace path: lstat \/proc\/0\/|cannot join (?:IPC|PID) of a non running|namespace shared with stopped/,
    'the container whose namespace is shared is not running',
  ],
  // States.
  [
    /did not receive an exit event/,
    'the processes of the container do not end: they may wait for a disk or a share',
  ],
  [
    /cannot (?:stop|kill) container.*permission denied/i,
    'the host does not let the Engine stop the container: AppArmor may refuse it',
  ],
  [/unable to freeze/, 'the processes of the container cannot be paused'],
  [/authorization denied by plugin ([\w.-]{1,60})/, 'the plugin $1 of the Engine refused this'],
  // Values.
  [/for a local volume name/, 'the name of a volume has characters that the Engine does not allow'],
  [/volume name is too short/, 'the name of a volume needs at least two characters'],
  [
    /invalid container name/i,
    'the container name is not valid: it has letters, digits and _.- and begins with one of the first two',
  ],
  [
    /\/merged(\/[\w./@+-]{1,1000}): not a directory$/,
    'the working directory $1 is below a file of the container',
  ],
  [/is not a valid mac address/i, 'mac_address is not valid'],
  [/invalid (IPC|PID|UTS|USER|cgroup namespace) mode/i, 'the mode of a namespace is not valid: $1'],
  [/^invalid mode: /, 'a mount has a mode that the Engine does not know'],
  [
    /invalid option: "?([\w.-]{1,100})"?/,
    'driver_opts has an option that the driver of the volume does not know: $1',
  ],
  [/invalid environment variable/i, 'environment has an entry without a name'],
  [/invalid (?:containerPort|hostPort|port specification)/i, 'a port is not valid'],
  [/SHM size can not be/, 'shm_size must not be negative'],
  [/Minimum memory reservation/, 'mem_reservation is lower than the minimum'],
  [/Cannot link to a non running container/, 'a linked container is not running'],
]
