import type { Step } from '../compose/step.ts'
import type { EngineArchives } from './archives.ts'
import type { ExecOptions, ExecSession } from './exec.ts'

/**
 * The longest file that is read from a host, in bytes. Files of a stack are shorter, so a longer
 * one differs from them in any case.
 */
export const fileBytesMax = 8 * 1024 * 1024

/**
 * A Docker Engine on one host, however it is reached.
 *
 * @throws every method: 404 if a thing does not exist, 409 for a conflict, 500 if the Engine
 *   refuses or does not respond in time
 */
export interface Engine extends EngineArchives {
  /** Returns facts that rarely change. They are cached for a short time. */
  info(): Promise<EngineInfo>
  /** Returns the version of the Engine's API in use, such as `1.41`. */
  apiVersion(): Promise<string>
  /**
   * Returns the containers, networks and volumes of a compose project, by label, as the Engine
   * lists them.
   */
  observe(project: string): Promise<Snapshot>
  /** Returns only the containers of a project, from one list. */
  projectContainers(project: string): Promise<ObservedContainer[]>
  /**
   * Returns run details of containers in a snapshot. Containers that were removed since are left
   * out.
   */
  runs(containers: readonly ObservedContainer[]): Promise<ContainerRun[]>
  /**
   * Finds networks, volumes and images by exact name for a plan: external and unlabelled ones, and
   * images of services.
   */
  resolve(wanted: Wanted): Promise<Resolved>
  /**
   * Executes a step as exactly one Engine call (a pull, a wait and a file write each count as one).
   * The call is neither repeated nor split.
   */
  execute(step: Step, signal: AbortSignal): Promise<StepOutcome>

  /**
   * Returns running or all containers by name. The array is frozen and stays the same until
   * something changes, so results derived from it can be cached by its identity.
   */
  containers(options: { all: boolean }): Promise<readonly ContainerSummary[]>
  container(id: string): Promise<ContainerDetails>
  /**
   * Returns what a container can access on its host, by inspection.
   *
   * @throws 404 if there is no such container
   */
  access(id: string): Promise<ContainerAccess>
  /**
   * Performs an action and returns the container after it. Idempotent: starting a running container
   * succeeds.
   */
  act(id: string, action: ContainerAction): Promise<ContainerSummary>
  removeContainer(id: string, options: { force: boolean }): Promise<void>
  /** Returns past lines, oldest first, at most `tail`. */
  logs(id: string, options: LogOptions): Promise<LogLine[]>
  /**
   * Yields past lines, then new ones, in non-empty batches. With `follow` it continues until the
   * container stops or is removed. It reads only as fast as it is consumed.
   *
   * @throws the signal's reason once it is aborted
   */
  followLogs(
    id: string,
    options: FollowOptions,
    signal: AbortSignal,
  ): AsyncIterable<readonly LogLine[]>
  /**
   * Returns every container, by name, with the usage of those that run. Each container is read
   * once. Values that are not there when the signal is aborted are null.
   *
   * @throws if not even the list was there by then
   */
  sample(signal: AbortSignal): Promise<ContainerSample[]>
  /**
   * Yields the usage of a container about once a second until it stops, is removed or the signal
   * aborts. Yields nothing for a container that does not run.
   */
  stats(id: string, signal: AbortSignal): AsyncIterable<ContainerStats>
  /**
   * Yields changes on the host as they happen; all followers share one connection. `heard`: no
   * event is missed from here on. `deaf`: events may be missed until the next `heard`. It
   * reconnects until the signal is aborted.
   */
  events(signal: AbortSignal): AsyncIterable<EngineEvent | 'heard' | 'deaf'>
  /**
   * Returns the changes that the Engine still remembers, in order, and the time of the oldest event
   * that it remembers, or null if there is none.
   */
  pastEvents(): Promise<{ oldest: string | null; events: EngineEvent[] }>
  /**
   * Starts a command in a container. The arguments are passed unchanged, without a shell. The
   * signal ends the output of the session but not the command; `hangUp` ends the command.
   *
   * @throws 409 unless the container runs
   */
  exec(id: string, options: ExecOptions, signal: AbortSignal): Promise<ExecSession>

  images(): Promise<readonly ImageSummary[]>
  /**
   * Pulls an image with the stored credentials of its registry, without a time limit. Returns the
   * image.
   *
   * @throws 404 if the registry does not have it, 500 with a message of the service (never the
   *   registry's own) for other errors, and the signal's reason when it is aborted, which also
   *   stops the Engine
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
   * Removes an image by its ID, the beginning of the ID, or a name. If it has several names, only
   * the given name is removed.
   *
   * @param options `force` also removes names and the images of stopped containers, but never an
   *   image that a running container uses
   * @throws 409 while it is in use
   */
  removeImage(id: string, options: { force: boolean }): Promise<void>
  /**
   * Removes the images that have no name and that no container uses. The signal stops it before the
   * next image.
   */
  pruneImages(signal: AbortSignal): Promise<PrunedImages>
  networks(): Promise<readonly NetworkSummary[]>
  volumes(): Promise<readonly VolumeSummary[]>

  /**
   * Writes files under a directory of the host, using only the Engine API. Creates the directory.
   * All files are written when it resolves.
   *
   * @param files with relative paths without `..`
   * @param remove paths of files to delete
   */
  writeFiles(directory: string, files: HostFile[], remove?: string[]): Promise<void>
  /**
   * Reads regular files under a directory of the host; missing files are left out. A file longer
   * than `fileBytesMax` is cut off after `fileBytesMax` + 1 bytes.
   */
  readFiles(directory: string, paths: string[], options?: ReadFilesOptions): Promise<HostFile[]>
  /**
   * Returns the links among paths below a directory of the host and the directories above them: the
   * first link of each path. Missing paths are not links.
   */
  findLinks(directory: string, paths: readonly string[]): Promise<FoundLink[]>
  /**
   * Returns whether every component of a path below the stacks directory of the host is a directory
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
  /** The same each time that the Engine reports the event. */
  id: string
  /** RFC 3339. */
  time: string
  kind: 'container' | 'image' | 'network' | 'volume'
  /** The Engine's name for it, such as `start` or `health_status`. */
  action: string
  subject: { id: string; name: string | null }
  /**
   * `image`, `exit_code`, `signal`, `health`, `stack`, `service`, `container` and so on, if the
   * event has them.
   */
  details: Record<string, string | number>
}

export interface ReadFilesOptions {
  /**
   * Allows cached content for files whose size, mode and change time are unchanged. This takes a
   * tenth of the time. It misses only an edit that also resets the change time.
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

/** The state of a project on an Engine at one moment. */
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
  /** `starting`, `healthy` or `unhealthy`; null without a health check. */
  health: string | null
  exitCode: number | null
  imageId: string
  ports: Port[]
  /** Real network name → network id. */
  networks: Record<string, string>
  mounts: ObservedMount[]
}

/** Details of a container that lists do not include. */
export interface ContainerRun {
  id: string
  /** The reference that it was created with. */
  image: string
  startedAt: string | null
  /** How often the Engine restarted it since it was last started. */
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
  /** Volume name; empty for other types. */
  name: string
  source: string
  destination: string
  /** The container cannot write to it; missing means that it can. */
  readOnly?: boolean
}

export interface ObservedNetwork {
  id: string
  name: string
  labels: Record<string, string>
  /** Ids of the attached containers. */
  containers: string[]
}

export interface ObservedVolume {
  name: string
  labels: Record<string, string>
  /** Missing means `local` without options. */
  driver?: string
  options?: Record<string, string>
}

/** Names that a plan needs to know about. */
export interface Wanted {
  networks: string[]
  volumes: string[]
  images: string[]
}

/** The things that exist, by name. */
export interface Resolved {
  networks: Record<string, Omit<ObservedNetwork, 'containers'>>
  volumes: Record<string, ObservedVolume>
  /** Reference → image. */
  images: Record<string, ResolvedImage>
}

/** An image that is on the host. */
export interface ResolvedImage {
  id: string
  /** The reference is the ID of the image or the beginning of it. */
  byId?: true
  /** Repository digests. */
  digests: string[]
  /**
   * When it was last tagged on the host, in milliseconds since the epoch; null if the Engine does
   * not say.
   */
  taggedAt: number | null
  /** Paths at which the image declares volumes; missing if unknown. */
  volumes?: string[]
  /** The labels of the image, which its containers inherit; missing if unknown. */
  labels?: Record<string, string>
}

/** The result of a step: the id of a created thing or of a pulled or built image. */
export interface StepOutcome {
  id?: string
  /** Warnings of the Engine, shown with the step. */
  warnings?: string[]
  /** The references of the images that the Dockerfile of a build uses. */
  bases?: string[]
  /** Labels of a volume that existed already and was not created by this project. */
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
  /** As in `docker ps`: `Up 3 minutes (healthy)`. */
  status: string
  health: string | null
  /** The exit code of an exited container, parsed from `status`; otherwise null. */
  exitCode: number | null
  createdAt: string
  ports: Port[]
  labels: Record<string, string>
  /** Compose project and service, if the container has the labels. */
  stack: string | null
  service: string | null
}

export interface ContainerDetails extends ContainerSummary {
  command: string[]
  entrypoint: string[]
  /** `KEY=value` entries, as the Engine reports them. */
  env: string[]
  mounts: { type: string; source: string; destination: string; read_only: boolean }[]
  networks: { name: string; ip_address: string; aliases: string[] }[]
  restartPolicy: string
  startedAt: string | null
  finishedAt: string | null
}

/** What a running container can access on its host. */
export interface ContainerAccess {
  id: string
  name: string
  /** `HostConfig` as inspected, including attributes that this code does not know. */
  hostConfig: Readonly<Record<string, unknown>>
  /** All mounts, however they were declared. `name` is that of the volume. */
  mounts: { type: string; name: string; source: string; destination: string; driver: string }[]
  /** Names of the attached networks. */
  networks: string[]
  /** With version 1, containers are in the host's cgroup namespace by default. */
  cgroupVersion: string
}

export interface LogOptions {
  tail: number
  /** RFC 3339 or seconds since the epoch, as the Engine accepts it. */
  since?: string
}

export interface FollowOptions {
  /** The number of past lines. */
  tail: number | 'all'
  /** RFC 3339 or seconds since the epoch, as the Engine accepts it. */
  since?: string
  follow: boolean
}

/** A container at one moment. */
export interface ContainerSample {
  id: string
  name: string
  stack: string | null
  service: string | null
  /** Created by `docker compose run` for one command. */
  oneoff: boolean
  state: ContainerState
  health: string | null
  exitCode: number | null
  createdAt: string
  /** How often its restart policy restarted it since its last explicit start; null if unknown. */
  restarts: number | null
  /** Null if it does not run or the usage is unknown. */
  usage: ContainerUsage | null
}

/**
 * The usage of a container. `cpuPercent` covers the time since the previous sample and is null for
 * the first one.
 */
export type ContainerUsage = Omit<ContainerStats, 'time' | 'cpus' | 'cpuPercent'> & {
  cpuPercent: number | null
}

/**
 * The usage of a container at one moment, as `docker stats` shows it. Sizes are in bytes; network
 * and block sizes are totals since its start.
 */
export interface ContainerStats {
  /** RFC 3339. */
  time: string
  /** Percent of one processor: two busy processors are 200. */
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
  /** The number of containers that use it. */
  containers: number
}

/** The result of a prune: ids of removed images and of layers that only they used. */
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
  /** Options of its driver; missing means none. */
  options?: Record<string, string>
  stack: string | null
}
