import type { MessageRow } from './message-row.ts'

const rejectedLog = 'the Engine rejected the log driver or its options'

/** Errors about the values that a container, or a command in it, is created with. */
export const valueMessages: readonly MessageRow[] = [
  // Mounts.
  [
    /error mounting "tmpfs" to rootfs at "(\/[\w./@+-]{0,1000})".*invalid argument/s,
    'the size or another option of the tmpfs at $1 is not valid',
  ],
  [
    /mount config for type "tmpfs": invalid option/,
    'a tmpfs has an option that the Engine does not support',
  ],
  [
    /to rootfs at "(\/(?:proc|sys)[\w./@+-]{0,1000})": .* cannot be mounted because it is/s,
    'the container can have no mount at $1, which is the place of the kernel',
  ],
  [
    /^cannot access path .*(?:no such file or directory|not a directory)$/s,
    'the subpath of a mount does not exist in its volume or image',
  ],
  [/mount options conflict/, 'read_only and recursive of a bind contradict each other'],
  [
    /(\w{1,30}Options) must not be specified on mount type "(\w{1,20})"/,
    'a mount of the type $2 cannot have $1',
  ],
  [/destination can't be '\/'/, 'a mount cannot have the target /, the whole container'],
  [
    /missing required option: "?(\w{1,20})"?/,
    'driver_opts of a volume has no value for $1, which the others require',
  ],
  [/no quota support/, 'driver_opts: the disk of the host supports no size of a volume'],
  [/volumes-from specification cannot be an empty/, 'volumes_from has an empty entry'],
  // Names and states.
  [/Renaming a container with the same name/, 'the container has this name already'],
  [/Neither old nor new names may be empty|^invalid name: name is empty/, 'the name is empty'],
  [/'AutoRemove' container with restart/, 'a container that removes itself cannot restart'],
  [
    /invalid restart policy:? (?:unknown policy )?'([\w-]{1,40})'/,
    'restart: there is no policy $1',
  ],
  [
    /: non-shareable IPC/,
    'the container whose IPC namespace is shared does not share it: it needs ipc: shareable',
  ],
  [
    /invalid container format container:/,
    'the mode of a network or namespace names no container: it is written as container:<name>',
  ],
  [/^archive\/tar: /, 'the archive is damaged, or it is no tar archive'],
  [
    /\b([A-Z]{1,20}) is not a valid change command/,
    'changes: the instruction $1 is not possible there',
  ],
  // Commands and users.
  [/No exec command specified/, 'the command is empty'],
  [
    /Cwd must be an absolute path|needs to be an absolute path$/,
    'the working directory must be an absolute path',
  ],
  [
    /container init: mkdir (\/[\w./@+-]{1,200}): no such file/,
    'the working directory $1 cannot be made in the container',
  ],
  [/can't contain null\(/, 'environment has a value with a null character'],
  [
    /unable to start container process: .*too many open files/s,
    'the container cannot start with so few open files: the limit of ulimits is too low',
  ],
  [
    /unable to start container process: .*seccomp.*cannot allocate memory/s,
    'the container cannot start with so little memory: a limit of it is too low',
  ],
  // Networks of a container.
  [/invalid MAC address/i, 'mac_address is not valid'],
  [
    /setting interface "\w{1,40}" MAC to .*cannot assign/,
    'mac_address is an address that no interface can have',
  ],
  [
    /container-wide MAC address must match/,
    'mac_address of the service differs from that of its first network',
  ],
  [/renaming interface .*: (?:invalid|numerical)/, 'interface_name is not valid'],
  [/bad nameserver address/, 'dns has an entry that is no IP address'],
  [
    /bad format for add-host|^invalid host \S/,
    'extra_hosts has an entry that is not written as name=address',
  ],
  [
    /invalid IP address in add-host|failed to parse additional hosts/,
    'extra_hosts has an address that is not valid',
  ],
  [
    /can't be used with links/,
    'links cannot be used with the network of the host or of another container',
  ],
  [
    /must be supplied using driver option/,
    'sysctls cannot set one interface: use driver_opts of the network of the service',
  ],
  [
    /unrecognised network interface sysctl/,
    'driver_opts: a kernel setting of an interface is written as net.ipv4.conf.IFNAME.<name>=<value>',
  ],
  // Devices.
  [/custom device "": /, 'devices has an entry without a path'],
  [
    /invalid device cgroup rule format/,
    'device_cgroup_rules has an entry that is not written as c 1:3 rwm',
  ],
  [/throttle\.\w{1,40}_device: no such device/, 'blkio_config names a device that is no disk'],
  // Limits and kernel settings.
  [
    /(?:wrong rlimit value: RLIMIT_|invalid ulimit type: )(\w{1,30})/,
    'ulimits: there is no limit $1',
  ],
  [
    /error setting rlimit type \d+: invalid argument/,
    'ulimits has a soft limit that is higher than the hard one',
  ],
  [
    /\/proc\/sys\/([\w./-]{1,200}) is not a sysctl file/,
    'driver_opts: the host has no kernel setting $1',
  ],
  [
    /sysctl "([\w./-]{1,200})" is not in a separate kernel namespace/,
    'sysctls: $1 is a setting of the whole host, not of a container',
  ],
  [
    /sysctl "([\w./-]{1,200})" not allowed in host/,
    'sysctls: the Engine does not allow $1 with a namespace of the host',
  ],
  [/always set the Memory limit when using Memoryswap/, 'memswap_limit requires mem_limit'],
  [
    /Minimum memory limit can not be less than memory reservation/,
    'mem_reservation must not be higher than mem_limit',
  ],
  [/valid memory swappiness range is/, 'mem_swappiness must be between 0 and 100'],
  [
    /Requested memory nodes are not available/,
    'the host does not have the memory nodes of the container',
  ],
  [
    /invalid CPU shares|(?:minimum|maximum) allowed cpu-shares/,
    'cpu_shares must be between 2 and 262144',
  ],
  [
    /cpu real-time runtime cannot be higher/,
    'cpu_rt_runtime must not be higher than cpu_rt_period',
  ],
  [/Retries in Healthcheck cannot be negative/, 'the health check has negative retries'],
  // Logs.
  [
    /failed to initialize logging driver: .*(?:\bdial |cannot connect)/s,
    'the Engine cannot reach the server of the log driver',
  ],
  [/error parsing option max-buffer-size|^unsupported scheme: /, rejectedLog],
  [/(?:syslog facility|gelf-address|fluentd-address|for log opt)/, rejectedLog],
  // The rest.
  [
    /invalid --security-opt(?: \d)?: "([\w.:=/-]{1,100})"/,
    'security_opt: the Engine does not know $1',
  ],
  [/^Unknown option [\w.-]{1,100}$/, 'storage_opt has an option that the Engine does not know'],
  [/^invalid Annotations/, 'annotations has an entry without a name'],
  [
    /cannot unmarshal .* Go struct field (?:[\w.-]{0,400}\.)?([A-Za-z]\w{0,40})(?:\.\d{1,9})? of type/,
    'a value has a wrong type: $1',
  ],
  [/^invalid JSON|\bjson: cannot unmarshal/, 'a value has a wrong type'],
  [/cannot parse platform specifier/, 'a platform is not valid: it is written as linux/amd64'],
  [/invalid tag format/, 'the tag of the image is not valid'],
  [
    /cannot import digest reference|create a tag with a digest/,
    'an image cannot be given a digest as its name',
  ],
  [
    /cannot specify 64-byte hexadecimal strings/,
    'the name of an image cannot be like an ID, with 64 hexadecimal digits',
  ],
]
