import type { ContainerInspection } from '../../compose/from-container/inspection.ts'
import type {
  ObservedContainer,
  Resolved,
  ResourceNames,
  Snapshot,
  StepOutcome,
} from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import type {
  ContainerAccess,
  ContainerAction,
  ContainerDetails,
  ContainerProcess,
  ContainerRun,
  ContainerSample,
  ContainerStats,
  ContainerSummary,
  LogLine,
} from '../records/container.ts'
import type { ContainerPath } from '../records/container-path.ts'
import type {
  EngineEvent,
  EngineInfo,
  EngineUptime,
  ExpectedFile,
  FoundLink,
  HostEntry,
  HostFile,
  HostLink,
  HostPathKind,
  ImageSummary,
  NetworkSummary,
  PrunedImages,
  PulledLayer,
  ReportedStop,
  VolumeSize,
  VolumeSummary,
} from '../records/host-engine.ts'
import type { Installation } from '../records/installation.ts'
import type { EngineArchives } from './engine-archives.ts'
import type { AttachedContainer, ExecOptions, ExecSession } from './engine-exec.ts'

/**
 * The longest file that is read from a host, in bytes. Files of a stack are shorter, so a longer
 * one differs from them in any case.
 */
export const fileBytesMax = 16 * 1024 * 1024

/** How to create an image from a container. */
export interface CommitOptions {
  author: string | undefined
  message: string | undefined
  /** Instructions of a Dockerfile. */
  changes: readonly string[]
  /** Pauses the container meanwhile. */
  pause: boolean
}

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
  runs(containers: readonly Pick<ObservedContainer, 'id' | 'state'>[]): Promise<ContainerRun[]>
  /**
   * Finds networks, volumes and images by exact name for a plan: external and unlabelled ones, and
   * images of services.
   */
  resolve(wanted: ResourceNames): Promise<Resolved>
  /**
   * Executes a step as exactly one Engine call (a pull, a wait and a file write each count as one).
   * The call is neither repeated nor split.
   *
   * @param report called for each change of a layer of a pull, up to many times a second
   */
  execute(
    step: Step,
    signal: AbortSignal,
    report?: (layer: PulledLayer) => void,
  ): Promise<StepOutcome>

  /**
   * Returns running or all containers by name. The array is frozen and stays the same until
   * something changes, so results derived from it can be cached by its identity.
   */
  containers(options: { all: boolean }): Promise<readonly ContainerSummary[]>
  container(id: string): Promise<ContainerDetails>
  /**
   * Returns what belongs to the service itself on this Engine, as it was at most a second ago. The
   * methods that would start, stop, replace, enter, copy or join something of it throw a 409.
   */
  installation(): Promise<Installation>
  /**
   * Returns what a container can access on its host, by inspection.
   *
   * @throws 404 if there is no such container
   */
  access(id: string): Promise<ContainerAccess>
  /**
   * Returns all that the Engine shows of a container, and what its image and the Engine give to
   * containers that do not choose.
   *
   * @throws 404 if there is no such container
   */
  inspection(id: string): Promise<ContainerInspection>
  /**
   * Performs an action and returns the container after it. Idempotent: starting a running container
   * succeeds.
   */
  act(id: string, action: ContainerAction): Promise<ContainerSummary>
  /** Returns the processes of a container; none if it does not run. */
  processes(id: string): Promise<ContainerProcess[]>
  /**
   * Returns what a path in a container is. Like the next two, it works for containers that do not
   * run, and the Engine resolves the path within the container.
   */
  statInContainer(id: string, path: string): Promise<ContainerPath>
  /** Yields the tar archive of a path in a container. What it contains is up to the container. */
  readFromContainer(id: string, path: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /**
   * Unpacks a tar archive into a directory of a container, with the rights of root.
   *
   * @throws 409 if the directory is mounted read-only, or a file would replace a directory or the
   *   other way round
   */
  writeIntoContainer(id: string, directory: string, archive: Buffer): Promise<void>
  removeContainer(id: string, options: { force: boolean }): Promise<void>
  /**
   * Returns past lines, oldest first, at most `tail`.
   *
   * @throws 404 if there is no such container or it is being removed, 409 if its log driver does
   *   not support reading
   */
  logs(id: string, options: LogOptions): Promise<LogLine[]>
  /**
   * Yields past lines, then new ones, in non-empty batches. With `follow` it continues until the
   * container stops or is removed. It reads only as fast as it is consumed.
   *
   * @throws the signal's reason once it is aborted, and what `logs` throws
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
   * Yields changes on the host as they happen; all followers share one connection. `connected`:
   * no event is missed from here on. `disconnected`: events may be missed until the next
   * `connected`. It reconnects until the signal is aborted.
   */
  events(signal: AbortSignal): AsyncIterable<EngineEvent | 'connected' | 'disconnected'>
  /**
   * Returns the changes that the Engine still remembers, in order, and the time of the oldest event
   * that it remembers, or null if there is none.
   */
  pastEvents(): Promise<{ oldest: string | null; events: EngineEvent[] }>
  /**
   * Returns the stops of containers that were seen in events and not followed by a start, by
   * container ID. At most a few thousand are remembered, and none of before the service started
   * that the Engine has forgotten.
   */
  stops(): Promise<ReadonlyMap<string, ReportedStop>>
  /**
   * Returns the IDs of containers whose last start in events followed an end without a stop, as a
   * restart policy starts them. Remembered as `stops` are.
   */
  restarted(): Promise<ReadonlySet<string>>
  /** Returns since when the Engine runs; null if that is unknown. */
  uptime(): Promise<EngineUptime | null>
  /**
   * Starts a command in a container. The arguments are passed unchanged, without a shell. The
   * signal ends the output of the session but not the command; `hangUp` ends the command.
   *
   * @throws 409 unless the container runs
   */
  exec(id: string, options: ExecOptions, signal: AbortSignal): Promise<ExecSession>
  /**
   * Attaches to the main process of a container, which need not run yet. Nothing of its output from
   * here on is missed. The signal ends the output, not the container.
   *
   * @param options `tty` as the container was created
   */
  attach(id: string, options: { tty: boolean }, signal: AbortSignal): Promise<AttachedContainer>

  images(): Promise<readonly ImageSummary[]>
  /**
   * Pulls an image with the stored credentials of its registry, without a time limit. Returns the
   * image.
   *
   * @throws 403 if `registries` does not allow the registry, 404 if the registry does not have it,
   *   500 with a message of the service (never the registry's own) for other errors, and the
   *   signal's reason when it is aborted, which also stops the Engine
   */
  pullImage(reference: string, signal: AbortSignal, options?: PullOptions): Promise<ImageSummary>
  /**
   * Tags an image; another image with that name loses it. The caller checks whether that is
   * allowed.
   *
   * @throws 404 if there is no such image
   */
  tagImage(id: string, reference: string): Promise<void>
  /**
   * Makes an image without a name of a container, without its volumes. Returns its ID.
   *
   * @throws 404 if there is no such container
   */
  commitContainer(id: string, options: CommitOptions, signal: AbortSignal): Promise<string>
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
   * Returns the images that have no name, as `docker image prune` finds them: without those that
   * another image was built from. They are read now, not cached.
   */
  namelessImages(): Promise<readonly ImageSummary[]>
  /**
   * Removes images with all of their names, and the nameless images that they were built from. One
   * stays that a container uses, that is gone, or that has other names than given. The signal stops
   * it before the next image.
   *
   * @param keeps whether an image stays that one of them was built from
   */
  pruneImages(
    images: readonly Pick<ImageSummary, 'id' | 'tags'>[],
    keeps: (image: Pick<ImageSummary, 'id' | 'digests'>) => boolean,
    signal: AbortSignal,
  ): Promise<PrunedImages>
  networks(): Promise<readonly NetworkSummary[]>
  /**
   * Returns the containers in a network, also those that do not run, by full ID, with the aliases
   * that they have there.
   */
  aliasesIn(network: string): Promise<ReadonlyMap<string, readonly string[]>>
  volumes(): Promise<readonly VolumeSummary[]>
  /**
   * Returns how much data each volume holds. The Engine adds up all files, which can take minutes;
   * calls that arrive meanwhile or within a minute after it share the reading.
   *
   * @throws 500 after a minute, as the Engine has not responded
   */
  volumeSizes(): Promise<readonly VolumeSize[]>

  /**
   * Writes files and links under a directory of the host, using only the Engine API. Creates the
   * directory. All files are written when it resolves. Files and links are replaced.
   *
   * @param files with relative paths without `..`
   * @param remove paths of files to delete
   * @param emptied directories to delete after that if they are empty, inner ones first
   * @throws 409 with the path if a directory of the host is at the path of a file, or the reverse;
   *   other files may be written by then
   */
  writeFiles(
    directory: string,
    files: readonly (HostFile | HostLink)[],
    remove?: readonly string[],
    emptied?: readonly string[],
  ): Promise<void>
  /**
   * Removes the directory of a stack if it is empty, and before that the directories of `paths` in
   * it. Directories that contain anything stay, and so do directories elsewhere and links.
   *
   * @param paths relative ones without `..`
   */
  removeEmptyDirectory(directory: string, paths: string[]): Promise<void>
  /**
   * Reads regular files under a directory of the host; missing files are left out. A file longer
   * than `fileBytesMax` is cut off after `fileBytesMax` + 1 bytes.
   */
  readFiles(directory: string, paths: string[], options?: ReadFilesOptions): Promise<HostFile[]>
  /**
   * Returns what is at paths under a directory of the host, without the contents. Missing paths are
   * left out.
   *
   * @throws 409 if a directory on the way to a file is a link
   */
  examineFiles(
    directory: string,
    expected: ReadonlyMap<string, ExpectedFile>,
    options?: ExamineOptions,
  ): Promise<Map<string, HostEntry>>
  /**
   * Returns the links among paths below a directory of the host and the directories above them: the
   * first link of each path. Missing paths are not links.
   */
  findLinks(directory: string, paths: readonly string[]): Promise<FoundLink[]>
  /**
   * Returns what absolute paths of the host are; missing ones are left out. Paths behind a link in
   * the directory count as `other`, whether or not they exist.
   *
   * @param directory that of the stack. Paths elsewhere are looked up too, which takes longer; the
   *   caller checks whether its user may know about them
   */
  findPaths(directory: string, paths: readonly string[]): Promise<Map<string, HostPathKind>>
  /**
   * Returns whether every component of a path below the stacks directory of the host is a directory
   * and not a link.
   */
  isRealDirectory(path: string): Promise<boolean>
  /**
   * Checks that the Engine can create and delete files in a directory of the host. Creates the
   * directory.
   *
   * @throws 500 if it cannot
   */
  checkDirectory(path: string): Promise<void>
}

export interface PullOptions {
  /** Called for each change of a layer, up to many times a second. */
  report?: ((layer: PulledLayer) => void) | undefined
  /** The private registries that may be used besides public ones. If absent, any may be. */
  registries?: readonly string[] | undefined
}

export interface ReadFilesOptions {
  /**
   * Allows cached content for files whose size, mode and change time are unchanged. This takes a
   * tenth of the time. It misses only an edit that also resets the change time.
   */
  known?: boolean
}

export interface ExamineOptions {
  /** Paths whose cached content may be used, as `ReadFilesOptions.known` says. None by default. */
  known?: ReadonlySet<string>
  /** Relative paths of directories that are not read as a whole, because they hold other data. */
  avoid?: readonly string[]
}

export interface LogOptions {
  tail: number
  /** RFC 3339 or seconds since the epoch, as the Engine accepts it. */
  since?: string
  /** The same: only lines that were written at this time or before it. */
  until?: string
}

export interface FollowOptions {
  /** The number of past lines. */
  tail: number | 'all'
  /** RFC 3339 or seconds since the epoch, as the Engine accepts it. */
  since?: string
  follow: boolean
}
