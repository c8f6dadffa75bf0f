import type { Step } from '../compose/step.ts'
import type { EngineArchives } from './archives.ts'
import type { ExecOptions, ExecSession } from './exec.ts'

/**
 * The longest file that is read from a host. What a stack keeps is shorter, so a longer one differs.
 * Bytes.
 */
export const fileBytesMax = 8 * 1024 * 1024

/**
 * A Docker Engine on one host, whatever the way to it. Every method throws a `Failure`: 404 for a thing that is not
 * there, 409 for a conflict, 500 with a clear text when the Engine refuses or does not answer in time.
 */
export interface Engine extends EngineArchives {
  /** Facts that rarely change. Kept for a short while. */
  info(): Promise<EngineInfo>
  /** The version of the Engine's API that is spoken, such as `1.41`. */
  apiVersion(): Promise<string>
  /** Everything of one compose project as the Engine's lists have it: containers, networks, volumes, by label. */
  observe(project: string): Promise<Snapshot>
  /** Of that the containers alone, from one list. */
  projectContainers(project: string): Promise<ObservedContainer[]>
  /** How the containers of a snapshot run; those that went meanwhile are left out. */
  runs(containers: readonly ObservedContainer[]): Promise<ContainerRun[]>
  /** Finds networks, volumes and images by exact name for a plan: externals, unlabelled ones, images of services. */
  resolve(wanted: Wanted): Promise<Resolved>
  /** Does exactly one Engine call (a pull, a wait and a file write count as one). Never twice, never part of it. */
  execute(step: Step, signal: AbortSignal): Promise<StepOutcome>

  /** Running containers, or all, by name. Frozen, the same array while nothing changed: it may be kept by its identity. */
  containers(options: { all: boolean }): Promise<readonly ContainerSummary[]>
  container(id: string): Promise<ContainerDetails>
  /**
   * Returns what a container can access on its host, by inspection.
   *
   * @throws 404 if there is no such container
   */
  access(id: string): Promise<ContainerAccess>
  /** Idempotent: starting a running container is done. Answers with the container after the action. */
  act(id: string, action: ContainerAction): Promise<ContainerSummary>
  removeContainer(id: string, options: { force: boolean }): Promise<void>
  /** Past lines, oldest first, at most `tail`. */
  logs(id: string, options: LogOptions): Promise<LogLine[]>
  /**
   * Lines as they come, past ones first, those of a moment together and never none. With `follow` it goes on until the
   * container stops or is removed. What is not asked for is not read. Throws the signal's reason when that is aborted.
   */
  followLogs(
    id: string,
    options: FollowOptions,
    signal: AbortSignal,
  ): AsyncIterable<readonly LogLine[]>
  /**
   * Every container as it is at this moment, by name, with what those that run use: each is asked once. What is not there
   * when the signal is aborted is missing: figures and counts are null then. Throws when not even the list was there.
   */
  sample(signal: AbortSignal): Promise<ContainerSample[]>
  /** What a container uses, about once a second, until it stops, is removed or the signal is aborted. Of one that does not run, nothing. */
  stats(id: string, signal: AbortSignal): AsyncIterable<ContainerStats>
  /**
   * What changes on the host as it happens, from one connection for all who follow: `heard` when nothing is missed from
   * here on, `deaf` when it may be again. It is kept up until the signal's end.
   */
  events(signal: AbortSignal): AsyncIterable<EngineEvent | 'heard' | 'deaf'>
  /** The changes that the Engine still remembers, in order, and the time of the oldest thing it does; null for nothing. */
  pastEvents(): Promise<{ oldest: string | null; events: EngineEvent[] }>
  /**
   * Starts a command in a container. Its words are handed on as they are: no shell of ours sees them. Throws a `Failure`
   * 409 unless the container runs. The signal ends the session's output, not the command: `hangUp` does.
   */
  exec(id: string, options: ExecOptions, signal: AbortSignal): Promise<ExecSession>

  images(): Promise<readonly ImageSummary[]>
  /**
   * Pulls an image, with the credentials that are kept for its registry and for as long as it takes. Answers with the image.
   * Throws a `Failure` 404 for one that the registry does not have, 500 in the registry's words for all that went wrong on
   * the way, and the signal's reason when that is aborted: the Engine then stops.
   */
  pullImage(reference: string, signal: AbortSignal): Promise<ImageSummary>
  /**
   * Tags an image; another image with that name loses it. The caller checks whether that is
   * allowed.
   *
   * @throws 404 if there is no such image
   */
  tagImage(id: string, reference: string): Promise<void>
  /**
   * Removes an image by its id, the beginning of that, or a name; a name of several only goes itself. Throws a `Failure` 409
   * while it is in use; `force` takes away names and stopped containers' images, never one that a running container has.
   */
  removeImage(id: string, options: { force: boolean }): Promise<void>
  /** Removes the images that have no name and that no container uses. The signal stops it before the next one. */
  pruneImages(signal: AbortSignal): Promise<PrunedImages>
  networks(): Promise<readonly NetworkSummary[]>
  volumes(): Promise<readonly VolumeSummary[]>

  /**
   * Writes files under a directory of the host through the Engine API alone. Creates the directory. Paths are relative,
   * without `..`; modes are 0644 unless given. All files are there when it resolves. `remove` are deleted.
   */
  writeFiles(directory: string, files: HostFile[], remove?: string[]): Promise<void>
  /**
   * Reads regular files under a directory of the host; those that are not there are missing from the
   * answer. Of a file that is longer than `fileBytesMax` it reads one byte more than that.
   */
  readFiles(directory: string, paths: string[], options?: ReadFilesOptions): Promise<HostFile[]>
  /**
   * Returns the links among paths below a directory of the host and the directories above them: the
   * first one of each path. Missing paths are not links.
   */
  findLinks(directory: string, paths: readonly string[]): Promise<FoundLink[]>
  /**
   * Returns whether each component of a path below the stacks directory of the host is a directory
   * and not a link.
   */
  isRealDirectory(path: string): Promise<boolean>
}

/** A link in a directory of a host. */
export interface FoundLink {
  /** Relative to that directory. */
  path: string
  /** Its target, as seen from a container that has only that directory. */
  target: string
}

/** A change on a host. */
export interface EngineEvent {
  /** The same whenever the Engine tells of it. */
  id: string
  /** RFC 3339. */
  time: string
  kind: 'container' | 'image' | 'network' | 'volume'
  /** As the Engine calls it: `start`, `health_status`. */
  action: string
  subject: { id: string; name: string | null }
  /** `image`, `exit_code`, `signal`, `health`, `stack`, `service`, `container` and so on, where it has them. */
  details: Record<string, string | number>
}

export interface ReadFilesOptions {
  /**
   * What was read or written before may stand for a file whose size, mode and time of change are as they were then. That
   * takes a tenth of the time, and misses only who sets the time back.
   */
  known?: boolean
}

export interface HostFile {
  path: string
  content: Uint8Array
  mode: number
}

export interface EngineInfo {
  version: string
  apiVersion: string
  os: string
  arch: string
  cpus: number
  /** Bytes. */
  memory: number
  containers: { running: number; total: number }
}

/** What a project looks like on an Engine at one instant. */
export interface Snapshot {
  project: string
  containers: ObservedContainer[]
  networks: ObservedNetwork[]
  volumes: ObservedVolume[]
}

export interface ObservedContainer {
  id: string
  /** Without the leading slash. */
  name: string
  service: string
  /** `com.docker.compose.container-number`. */
  number: number
  oneoff: boolean
  labels: Record<string, string>
  state: ContainerState
  /** `starting`, `healthy`, `unhealthy`, or none when it has no health check. */
  health: string | null
  exitCode: number | null
  imageId: string
  ports: Port[]
  /** Real network name → network id. */
  networks: Record<string, string>
  mounts: ObservedMount[]
}

/** What lists do not say of a container. */
export interface ContainerRun {
  id: string
  /** The reference it was created with. */
  image: string
  startedAt: string | null
  /** How often the Engine started it again since it was started. */
  restarts: number
}

export type ContainerState =
  | 'created'
  | 'running'
  | 'paused'
  | 'restarting'
  | 'removing'
  | 'exited'
  | 'dead'

export interface ObservedMount {
  type: string
  /** Volume name; empty for others. */
  name: string
  source: string
  destination: string
  /** True if the container cannot write it; missing means writable. */
  readOnly?: boolean
}

export interface ObservedNetwork {
  id: string
  name: string
  labels: Record<string, string>
  /** Ids of the containers attached to it. */
  containers: string[]
}

export interface ObservedVolume {
  name: string
  labels: Record<string, string>
  /** `local` and no options where these are missing. */
  driver?: string
  options?: Record<string, string>
}

/** Names that a plan must know about before it can be made. */
export interface Wanted {
  networks: string[]
  volumes: string[]
  images: string[]
}

/** What of it exists. */
export interface Resolved {
  networks: Record<string, Omit<ObservedNetwork, 'containers'>>
  volumes: Record<string, ObservedVolume>
  /** Reference → image. */
  images: Record<string, ResolvedImage>
}

/** An image that is on the host. */
export interface ResolvedImage {
  id: string
  /** Set if the reference is the ID of the image, or the beginning of it. */
  byId?: true
  /** Repository digests. */
  digests: string[]
  /** When it was last given a name there, milliseconds; nothing when the Engine cannot say. */
  taggedAt: number | null
  /** Paths in its containers where it declares a volume; missing where that is not known. */
  volumes?: string[]
  /** The labels of the image, which its containers inherit; missing if unknown. */
  labels?: Record<string, string>
}

/** What a step brought: the id of what it made, the image it pulled. */
export interface StepOutcome {
  id?: string
  /** Warnings of the Engine, shown with the step. */
  warnings?: string[]
  /** The references of the images that the Dockerfile of a build names. */
  bases?: string[]
  /** Labels of a volume that was there already and that another project, or no project, made. */
  existing?: Record<string, string>
}

export type ContainerAction =
  | { kind: 'start' }
  | { kind: 'stop'; timeoutSeconds?: number }
  | { kind: 'restart'; timeoutSeconds?: number }
  | { kind: 'kill'; signal?: string }

export interface Port {
  private: number
  public: number | null
  protocol: string
  ip: string | null
}

export interface ContainerSummary {
  id: string
  name: string
  image: string
  imageId: string
  state: ContainerState
  /** As `docker ps` shows it: `Up 3 minutes (healthy)`. */
  status: string
  health: string | null
  /** Of one that exited, taken from `status`; else none. */
  exitCode: number | null
  createdAt: string
  ports: Port[]
  labels: Record<string, string>
  /** Compose project and service, when it has the labels. */
  stack: string | null
  service: string | null
}

export interface ContainerDetails extends ContainerSummary {
  command: string[]
  entrypoint: string[]
  /** `KEY=value` lines, as the Engine has them. */
  env: string[]
  mounts: { type: string; source: string; destination: string; read_only: boolean }[]
  networks: { name: string; ip_address: string; aliases: string[] }[]
  restartPolicy: string
  startedAt: string | null
  finishedAt: string | null
}

/** What a container can access on its host, as the Engine runs it. */
export interface ContainerAccess {
  id: string
  name: string
  /** `HostConfig` as inspected, with attributes that this code does not know. */
  hostConfig: Readonly<Record<string, unknown>>
  /** All mounts, however they were declared. `name` is that of a volume. */
  mounts: { type: string; name: string; source: string; destination: string; driver: string }[]
  /** Names of the networks it is in. */
  networks: string[]
  /**
   * With control groups of version 1, every container is in the namespace of the host by default.
   */
  cgroupVersion: string
}

export interface LogOptions {
  tail: number
  /** RFC 3339 or seconds since the epoch, as the Engine takes it. */
  since?: string
}

export interface FollowOptions {
  /** How many past lines. */
  tail: number | 'all'
  /** RFC 3339 or seconds since the epoch, as the Engine takes it. */
  since?: string
  follow: boolean
}

/** A container at one moment. */
export interface ContainerSample {
  id: string
  name: string
  stack: string | null
  service: string | null
  /** Made for one command by `docker compose run`. */
  oneoff: boolean
  state: ContainerState
  health: string | null
  exitCode: number | null
  createdAt: string
  /** How often its restart policy started it again since it was started by somebody; null where that is not known. */
  restarts: number | null
  /** Null for one that does not run, and where it is not known. */
  usage: ContainerUsage | null
}

/** What a container uses; the processor since it was last sampled, null for the first time. */
export type ContainerUsage = Omit<ContainerStats, 'time' | 'cpus' | 'cpuPercent'> & {
  cpuPercent: number | null
}

/** What a container uses at one moment, as `docker stats` shows it. Sizes in bytes, since its start where they grow. */
export interface ContainerStats {
  /** RFC 3339. */
  time: string
  /** Of one processor: two that are busy are 200. */
  cpuPercent: number
  cpus: number
  /** Without the page cache. */
  memory: number
  memoryLimit: number
  memoryPercent: number
  networkRx: number
  networkTx: number
  blockRead: number
  blockWrite: number
  pids: number
}

export interface LogLine {
  stream: 'stdout' | 'stderr'
  /** RFC 3339 with nanoseconds, as the Engine stamps it. */
  time: string
  line: string
}

export interface ImageSummary {
  id: string
  tags: string[]
  digests: string[]
  size: number
  createdAt: string
  /** How many containers use it. */
  containers: number
}

/** What a prune removed: the ids of images, and of the layers that were theirs alone. */
export interface PrunedImages {
  deleted: string[]
  /** Bytes. */
  reclaimed: number
}

export interface NetworkSummary {
  id: string
  name: string
  driver: string
  scope: string
  internal: boolean
  createdAt: string
  labels: Record<string, string>
  stack: string | null
}

export interface VolumeSummary {
  name: string
  driver: string
  mountpoint: string
  createdAt: string | null
  labels: Record<string, string>
  /** Options of its driver; none where they are missing. */
  options?: Record<string, string>
  stack: string | null
}
