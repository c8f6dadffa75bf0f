import { buildMessages } from './build-messages.ts'
import { imageMessages } from './image-messages.ts'
import type { MessageRow } from './message-row.ts'
import { networkMessages } from './network-messages.ts'
import { unreachableRegistry } from './registry-cause.ts'
import { runtimeMessages } from './runtime-messages.ts'
import { valueMessages } from './value-messages.ts'

/** The text for the log of a container whose log driver, such as `none`, only writes. */
export const unreadableLog = 'the log driver of the container does not support reading its log'
/** The text for a container that is about to be gone. */
export const beingRemoved = 'the container is being removed'

/**
 * Known error messages of Engines, registries and builders, each with the text for callers. The
 * rest of the original is never shown, because it can quote servers that the Engine dialed, or
 * paths of its host.
 */
const generalMessages: readonly MessageRow[] = [
  // References. A name has at most 255 of these characters.
  [
    /No such (container|image|network|volume|exec instance): ([\w./:@-]{1,255})$/i,
    'No such $1: $2',
  ],
  [/^get ([\w.-]{1,255}): no such volume$/, 'No such volume: $1'],
  [
    /\bnetwork [0-9a-f]{64} not found$/,
    'a network of the container was removed: deploy its stack, which creates both again',
  ],
  [/(?:^|: )network ([\w.-]{1,255}) not found$/, 'No such network: $1'],
  [
    /Multiple IDs found with provided prefix: ([0-9a-f]{1,64})$/,
    'Multiple IDs found with provided prefix: $1',
  ],
  [
    /repository name must not be (?:more|longer) than 255 characters/,
    'the name of the image is longer than 255 characters',
  ],
  [/invalid reference format/, 'the image is not a valid reference'],
  // Builds, before what resembles it in registries.
  [
    /secret ([\w./-]{1,200})(?: not found)?: not found/,
    'the Dockerfile requires the secret $1, which build.secrets does not list',
  ],
  [
    /no active session|rpc error: code = (?:Unavailable|Canceled)/,
    'the connection on which the build asks for secrets and credentials broke',
  ],
  // Registries.
  [
    /manifest unknown|manifest for .* not found|resolve reference .*: not found|repository name not known/,
    'manifest unknown: the registry has no such image or tag',
  ],
  [
    /no matching manifest for ([\w/.-]{1,60})/,
    'no matching manifest: the image is not available for $1',
  ],
  [/toomanyrequests|too many requests/i, 'too many requests: the registry limits pulls'],
  [
    /pull access denied/,
    'pull access denied: the repository does not exist or needs other credentials',
  ],
  [
    /unauthorized|authentication required|no basic auth credentials|(?<!permission )denied: |incorrect username or password/i,
    'unauthorized: the registry rejected the credentials, or requires some',
  ],
  [
    /^(Get|Head|Post) "?https?:|dial tcp|x509: |tls: |server gave HTTP response|context deadline exceeded|request canceled/,
    unreachableRegistry,
  ],
  [
    /image operating system "?\w+"? cannot be used on this platform/,
    'the image is built for another operating system',
  ],
  // Names, ports, disks.
  [
    /The container name "\/?([\w.-]{1,255})" is already in use/,
    'Conflict: the container name $1 is already in use',
  ],
  [
    /(?:Bind for|listen (?:tcp|udp)[46]?) ((?:[\d.]{7,15}|\[?[0-9a-f:]{2,39}\]?):\d{1,5})\b.*(?:port is already allocated|address already in use)/s,
    'the port $1 of the host is already allocated',
  ],
  [
    /listen (?:tcp|udp)[46]? ((?:[\d.]{7,15}|\[?[0-9a-f:]{2,39}\]?):\d{1,5}): bind: cannot assign requested address/,
    'the host does not have the address of the published port $1',
  ],
  [/iptables failed/, 'the Engine could not change the firewall of the host: restart the Engine'],
  [
    /port is already allocated|bind: address already in use/,
    'a port of the host is already allocated',
  ],
  [/no space left on device/, 'no space left on the disk of the host'],
  [/network with name ([\w.-]{1,255}) already exists/, 'a network with the name $1 already exists'],
  // Networks.
  [/Pool overlaps with other one/i, 'the subnet overlaps with that of another network'],
  [
    /non-overlapping IPv4 address pool|predefined address pools/,
    'no free subnet is left for another network',
  ],
  [/active endpoints/, 'the network has active endpoints'],
  [
    /user specified IP address is supported o/,
    'a static IP address requires a network with a configured subnet',
  ],
  [/Address already in use$/, 'the address is already in use in the network'],
  [
    /no configured subnet contains|does not belong to any of this network'?s subnets|invalid address/i,
    'the address is not in a subnet of the network',
  ],
  [
    /is already attached to network|already exists in network/,
    'the container is already attached to the network',
  ],
  [/is not connected to (?:the )?network/, 'the container is not connected to the network'],
  [
    /joining network namespace|cannot join network (?:namespace )?of a non running container/,
    'the container whose network is shared is not running',
  ],
  // States.
  [/is not running/, 'the container is not running'],
  [/is already paused/, 'the container is already paused'],
  [/is not paused/, 'the container is not paused'],
  [/is paused|a paused container/, 'the container is paused'],
  [/is restarting, wait/, 'the container is restarting: wait until it runs'],
  [
    /cannot remove (?:a running container|container .*container is running)|stop the container before/i,
    'the container is running: stop it before you remove it, or use force',
  ],
  [/removal of container .* is already in progress/, 'the container is being removed already'],
  [/marked for removal/, beingRemoved],
  [/volume is in use/, 'the volume is in use'],
  [/dependent child images/, 'the image has dependent child images'],
  [/image is referenced in multiple repositories/, 'the image has several names: use force'],
  [
    /(?:image is being used by|is using its referenced image|container .* is using)/,
    'the image is in use by a container',
  ],
  [/a prune operation is already running/, 'a prune operation is already running'],
  [
    /a disk usage operation is already running/,
    'a disk usage operation is already running: another program measures the disk of the host',
  ],
  // Files in containers.
  [/(?:rootfs|volume) is marked read-only/, 'the place in the container is read-only'],
  [/extraction point is not a directory/, 'the path in the container is not a directory'],
  [
    /cannot overwrite (?:non-)?directory/,
    'a file of the archive has the path of a directory in the container, or the other way round',
  ],
  [/Could not find the file/, 'the container has no such path'],
  // Commands, devices and mounts.
  [
    /exec: "[^"\n]{0,1000}\s[^"\n]{0,1000}": (?:executable file not found|stat .*no such file)/,
    'executable file not found in the container: its name has a space in it, so it may be a command with arguments',
  ],
  [
    /exec: "((?:[\w.-]{0,50}\/){0,5}(?:ba|da|a|z)?sh)": (?:executable file not found|stat .*no such file)/,
    'executable file not found: the image has no shell $1; name one of its programs, by its path',
  ],
  [
    /exec: "([^"\\\n]{1,200})": (?:executable file not found|stat .*no such file)/,
    'executable file not found in the container: $1',
  ],
  [
    /exec: "[^"\n]{0,1000}": (?:executable file not found|stat .*no such file)/,
    'executable file not found in the container',
  ],
  [
    /chdir to cwd \(\\?"(\/[^"\\\n]{0,1000})\\?"\) set in config\.json failed/,
    'the container has no directory $1 that its user may enter',
  ],
  [
    /exec: .*permission denied|permission denied: unknown/,
    'permission denied: the command is not executable',
  ],
  [/exec format error/, 'exec format error: the image is built for another processor'],
  [/unable to find (user|group) ([^:\n]{1,64})/i, 'the container has no $1 $2'],
  [
    /uids and gids must be in range (\d+-\d+)/,
    'the ids of the user and of its group must be in the range $1',
  ],
  [/No command specified/i, 'the image has no command, and the service has none'],
  [
    /Cannot mkdir: (\/[^\n]{0,1000}) is not a directory/,
    'the working directory $1 is a file in the container',
  ],
  [/custom device "(\/[^"\\\n]{0,1000})": no such file/, 'the host has no device $1'],
  [/nvidia-container-cli/, 'the NVIDIA runtime of the host could not prepare the container'],
  [
    /is mounted on .* but it is not a shared (?:or slave )?mount/,
    'the propagation of a bind requires a shared mount on the host',
  ],
  [/invalid tmpfs option/, 'a tmpfs has an option that the Engine does not support'],
  [
    /not a directory.*Are you trying to mount a directory onto a file/s,
    'a mount has a directory as source and a file as target, or the reverse',
  ],
  [
    /bind source path does not exist: (\/[^\n]{0,1000})$/,
    'the source of a bind does not exist: $1',
  ],
  [/error while mounting volume|failed to mount local volume/, 'a volume cannot be mounted'],
  [/Duplicate mount point: (\/[^\n]{0,1000})$/, 'two mounts have the same target: $1'],
  [/invalid mount (?:config|path|target)|invalid volume specification/, 'a mount is not valid'],
  // Values.
  [/unknown capability: "?([A-Z_]{1,40})"?/, 'there is no capability $1'],
  [/error setting rlimit/, 'ulimits has a limit that is higher than the host allows'],
  [/CPU cfs period can not be less than/, 'cpu_period must be between 1 ms and 1 s'],
  [/CPU cfs quota can not be less than/, 'cpu_quota must be at least 1 ms'],
  [/range for oom score adj is/, 'oom_score_adj must be between -1000 and 1000'],
  [
    /open \/proc\/sys\/([\w./-]{1,200}): no such file/,
    'sysctls: the host has no kernel setting $1',
  ],
  [
    /unable to apply cgroup configuration/,
    'the host does not allow a limit of memory, processors or processes',
  ],
  [
    /(Interval|Timeout|StartPeriod|StartInterval) in Healthcheck cannot be less than/,
    'the health check has a value below 1 ms: $1',
  ],
  [/apparmor/i, 'the host could not apply the AppArmor profile'],
  [/seccomp/i, 'the host could not apply the seccomp profile'],
  [/--storage-opt is supported only/, 'storage_opt: not available with the disk of the host'],
  [/^invalid isolation/i, 'isolation: only default is available on Linux'],
  [/maximum retry count/i, 'restart: the number of retries is not valid'],
  [/conflicting options: ([\w ,'-]{1,100})$/i, 'the Engine rejected options that conflict: $1'],
  [
    /Minimum memory limit allowed is (\d{1,9}[A-Z]{1,2})/i,
    'the memory limit is lower than the minimum of $1',
  ],
  [
    /Range of CPUs is from ([\d.]{1,9}) to ([\d.]{1,9})/i,
    'cpus must be between $1 and $2 on this host',
  ],
  [
    /(?:Minimum memoryswap limit|Memory limit should be)/,
    'the limits of memory and swap contradict each other',
  ],
  [
    /Requested CPUs are not available|Invalid value .* for cpuset/,
    'cpuset lists processors that the host does not have',
  ],
  [/invalid signal/i, 'the signal is not valid'],
  [
    /(?:unknown or invalid runtime name:|unknown runtime specified) ([\w./-]{1,100})/i,
    'the Engine has no such runtime: $1',
  ],
  [/could not select device driver/, 'the Engine has no driver for the device'],
  [/logging driver does not support reading/, unreadableLog],
  [
    /logger|logging driver|log-driver|unknown log opt/,
    'the Engine rejected the log driver or its options',
  ],
  [
    /error looking up (?:volume )?plugin|plugin "?[\w./:-]*"? not found/,
    'the Engine has no such plugin',
  ],
  [/oom_score_adj|ulimit|sysctl|namespaced/, 'the Engine rejected a kernel setting'],
  // Builds. Names of files and commands come from the Dockerfile.
  [
    /returned a non-zero code: (\d{1,3})/,
    'a command of the Dockerfile failed with a non-zero code: $1',
  ],
  [/exit code: (\d{1,3})/, 'a command of the Dockerfile failed, exit code: $1'],
  [/unknown instruction: ([A-Za-z0-9_]{1,40})/, 'the Dockerfile has an unknown instruction: $1'],
  [/dockerfile parse error(?: on)? line (\d{1,6})/i, 'the Dockerfile has an error in line $1'],
  [
    /dockerfile parse error|file with no instructions|the Dockerfile (?:\(.*\) )?cannot be empty/i,
    'the Dockerfile cannot be parsed',
  ],
  [
    /(?:COPY|ADD) failed: .*(?:no such file|not exist|not found)/,
    'the Dockerfile copies a file that is not in the build context',
  ],
  [
    /failed to (?:compute cache key|calculate checksum).*not found/s,
    'the Dockerfile copies a file that is not in the build context',
  ],
  [
    /(?:failed to reach build target|target stage) "?([\w.-]{1,100})"?/,
    'the Dockerfile has no stage $1',
  ],
  [
    /invalid from flag value ([\w./:@-]{1,255})/,
    'the Dockerfile has no stage $1, and there is no such image',
  ],
  [
    /base name .* should not be blank/,
    'a FROM line of the Dockerfile has no image name: a build argument may be missing',
  ],
  [/(?:COPY|ADD) failed: /, 'a file of the Dockerfile cannot be copied or fetched'],
]

/** The failure of a command of a Dockerfile, whose words can resemble any other message. */
const commandFailed = /returned a non-zero code: \d|did not complete successfully: exit code: \d/

/** The messages that are about one subject come first: a general one can fit them too. */
const special = [
  ...valueMessages,
  ...buildMessages,
  ...runtimeMessages,
  ...networkMessages,
  ...imageMessages,
]

/** Returns the text for a known error message, or undefined. */
export function knownMessage(text: string): string | undefined {
  const plain = text.trim()
  const beginning = plain.slice(0, charactersRead)
  const isCommand = commandFailed.test(beginning)
  return (
    (isCommand ? undefined : firstMatch(special, beginning)) ?? firstMatch(generalMessages, plain)
  )
}

/** The characters of a message that are read for what is about one subject. */
const charactersRead = 4000

function firstMatch(rows: readonly MessageRow[], plain: string): string | undefined {
  for (const [known, ours] of rows) {
    const match = known.exec(plain)
    if (!match) continue
    if (typeof ours === 'function') return ours(plain.slice(0, charactersRead))
    return ours.replace(/\$([12])/g, (_, place) => match[Number(place)] ?? '')
  }
  return undefined
}

/** A thing that a call needs besides the one in its path. */
export interface MissingThing {
  kind: 'network' | 'container'
  /** The full ID, or the name of a network. */
  id: string
}

const missing =
  /\b(?:(?<network>network) (?<one>[\w.-]{1,255}) not found|No such container: (?<other>[0-9a-f]{64}))$/

/** Returns the network or container that an error message says is missing. */
export function missingThing(text: string): MissingThing | undefined {
  const { network, one, other } = missing.exec(text.trim())?.groups ?? {}
  const id = one ?? other
  return id === undefined ? undefined : { kind: network ? 'network' : 'container', id }
}

/** Returns the beginning of a text for the log, with control characters escaped. */
export const escapedText = (text: string, charactersMax = 2000): string =>
  text.slice(0, charactersMax).replaceAll(/\p{Cc}/gu, (one) =>
    JSON.stringify(one)
      .slice(1, -1)
      .replace(/^[\u007f-\u009f]$/, '?'),
  )
