import { internalError } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import { checkedReference } from '../../functions/core/images/reference.ts'
import { protectInstallation } from '../../functions/core/owners/protect-installation.ts'
import type { Engine } from '../../functions/core/ports/engine.ts'
import type { RegistryCredentials } from '../../functions/core/ports/registries.ts'
import { markHandled } from '../../functions/core/promises.ts'
import type { FilePlace } from '../../functions/core/records/host-engine.ts'
import { containerAccess } from './containers/access.ts'
import { actOn } from './containers/actions.ts'
import { commitContainer } from './containers/commit.ts'
import {
  readContainerPath,
  statContainerPath,
  writeContainerPath,
} from './containers/container-files.ts'
import { containerDetails } from './containers/details.ts'
import { inspectFully } from './containers/inspection.ts'
import { summaryAfterAction } from './containers/listed.ts'
import { containerProcesses } from './containers/processes.ts'
import { removeContainer } from './containers/removal.ts'
import { containerRuns } from './containers/runs.ts'
import { attachTo } from './exec/attach.ts'
import { startCommand } from './exec/exec-session.ts'
import { executeStep } from './execute.ts'
import { checkDirectory } from './files/check-directory.ts'
import { clearPlace } from './files/clear-place.ts'
import { examineHostFiles } from './files/examine-files.ts'
import { fileMemory } from './files/file-memory.ts'
import { findHostLinks, writeHostFiles } from './files/files.ts'
import { findHostPaths } from './files/find-paths.ts'
import { findSockets } from './files/find-sockets.ts'
import { readArchive, removeArchiveHelpers, writeArchive } from './files/place-archives.ts'
import { readHostFiles } from './files/read-files.ts'
import { removeEmptyDirectory } from './files/remove-directory.ts'
import { guarded } from './guarded.ts'
import { helpers } from './helper-containers/helper.ts'
import { identifyOn } from './identify.ts'
import { removeImage } from './images/image-removal.ts'
import { namelessImages, tagImage } from './images/images.ts'
import { pruneImages } from './images/prune.ts'
import { pullImage } from './images/pull.ts'
import { shownContainer } from './inspect/container.ts'
import { networkAliases } from './networks-and-volumes/network-aliases.ts'
import { engineInfo } from './state/info.ts'
import { type OwnRecords, readInstallation } from './state/installation.ts'
import { engineLists } from './state/lists.ts'
import { observeProject, projectContainers } from './state/observe.ts'
import { resolveNames } from './state/resolve.ts'
import { engineSampler } from './state/sample.ts'
import { engineUptime } from './state/uptime.ts'
import { volumeSizeReader } from './state/volume-sizes.ts'
import { followEvents, pastEvents } from './streams/event-stream.ts'
import { engineEvents } from './streams/events.ts'
import { logBatches, readLogs } from './streams/logs.ts'
import { seenRuns } from './streams/seen-runs.ts'
import { containerStats } from './streams/stats.ts'
import { engineClient, type HostName } from './transport/client.ts'
import type { Transport } from './transport/transport.ts'

/** How to reach an Engine. */
export interface DockerEngineOptions {
  transport: Transport
  host: HostName
  /**
   * The absolute path on the host of the stacks. Each stack's files are accessed through its own
   * helper container.
   */
  stacksDirectory: string
  /** Credentials for pulls and builds. */
  registries?: RegistryCredentials
  /** Milliseconds. The deadline of short calls; the default is 5 s. */
  deadline?: number | undefined
  /** Where the parts of the installation run. Without it, nothing on the Engine is its. */
  own?: OwnRecords | undefined
  /** Absolute paths of the host with which a container controls it, such as the Engine's socket. */
  controlPaths?: readonly string[] | undefined
}

/** An Engine with open connections. */
export interface DockerEngine extends Engine {
  /**
   * Removes the helper containers and closes the connections; never fails. Containers of stacks
   * keep running.
   */
  close(): Promise<void>
}

/**
 * Returns the Engine port over dockerode. It dials nothing before the first call, and keeps one
 * connection open for the Engine's events.
 */
export function dockerEngine(options: DockerEngineOptions): DockerEngine {
  const { transport, registries, deadline } = options
  const client = engineClient(transport, options.host, registries, deadline)
  const events = engineEvents(client)
  const lists = engineLists(client, events)
  const runCache = containerRuns(client, events)
  const sample = engineSampler(client, lists, runCache)
  const files = helpers(client, options.stacksDirectory)
  const host = { client, helpers: files, memory: fileMemory() }

  const refuseLink = async (place: FilePlace) => {
    if (place.kind === 'directory') await files.refuseLink(place.path)
  }
  const forget = () => {
    lists.invalidate()
    runCache.forget()
  }
  /**
   * Caches are cleared before and after the work: a read that starts in between may return either
   * state.
   */
  async function changing<T>(work: Promise<T>): Promise<T> {
    markHandled(work)
    forget()
    try {
      return await work
    } finally {
      forget()
    }
  }

  const info = engineInfo(client, lists)
  const sources = { lists, info, stacksDirectory: options.stacksDirectory }

  const engine: DockerEngine = {
    info,
    apiVersion: () => client.apiVersion(),
    observe: (project) => observeProject(client, project),
    projectContainers: (project) => projectContainers(client, project),
    runs: (containers) => runCache.runs(containers),
    resolve: (wanted) => resolveNames(client, wanted),
    execute: (step, signal, report) => {
      const work = executeStep(client, events, files, step, { signal, report })
      return step.action === 'wait' ? work : changing(work)
    },
    containers: ({ all }) => (all ? lists.containers() : lists.running()),
    container: (id) => containerDetails(client, id),
    installation: readInstallation(client, sources, options.own),
    access: (id) => containerAccess(client, id, options.controlPaths),
    inspection: (id) => inspectFully(client, id),
    async act(id, action) {
      const { Id } = await shownContainer(client, id)
      await changing(actOn(client, Id, action))
      return summaryAfterAction(client, Id)
    },
    statInContainer: (id, path) => statContainerPath(client, id, path),
    readFromContainer: (id, path, signal) => readContainerPath(client, id, path, signal),
    writeIntoContainer: (id, directory, archive) =>
      writeContainerPath(client, id, directory, archive),
    processes: (id) => containerProcesses(client, id),
    async removeContainer(id, { force }) {
      const { Id } = await shownContainer(client, id)
      await changing(removeContainer(client, Id, { force, volumes: false }))
    },
    logs: (id, logOptions) => readLogs(client, id, logOptions),
    followLogs: (id, followOptions, signal) => logBatches(client, id, followOptions, signal),
    sample,
    stats: (id, signal) => containerStats(client, id, signal),
    events: (signal) => followEvents(events, signal),
    pastEvents: () => pastEvents(client),
    ...seenRuns(client, events),
    uptime: engineUptime(client, events, lists),
    exec: (id, execOptions, signal) => startCommand(client, id, execOptions, signal),
    attach: (id, { tty }, signal) => attachTo(client, id, tty, signal),
    images: () => lists.images(),
    async pullImage(reference, signal, pullOptions) {
      checkedReference(reference)
      await client.ping()
      const { id } = await changing(pullImage(client, reference, { ...pullOptions, signal }))
      const image = (await lists.images()).find((one) => one.id === id)
      if (!image) {
        throw internalError(
          `Pulled ${reference}, but the image is no longer on host ${client.host}`,
          { reason: 'engine-failed' },
        )
      }
      return image
    },
    commitContainer: (id, options, signal) =>
      changing(commitContainer(client, id, options, signal)),
    tagImage: (id, reference) => changing(tagImage(client, id, reference)),
    removeImage: (id, { force }) => changing(removeImage(client, id, { force })),
    namelessImages: async () => namelessImages(client, await lists.containers()),
    async pruneImages(images, keeps, signal) {
      await client.ping()
      return changing(pruneImages(client, images, keeps, signal))
    },
    networks: () => lists.networks(),
    aliasesIn: (network) => networkAliases(client, network),
    volumes: () => lists.volumes(),
    volumeSizes: volumeSizeReader(client, lists),
    writeFiles: (directory, ...changes) => writeHostFiles(host, directory, ...changes),
    removeEmptyDirectory: (directory, paths) => removeEmptyDirectory(host, directory, paths),
    readFiles: (directory, paths, how) => readHostFiles(host, directory, paths, how),
    examineFiles: (directory, expected, how = {}) =>
      examineHostFiles(host, directory, expected, how),
    findLinks: (directory, paths) => findHostLinks(host, directory, paths),
    findPaths: (directory, paths) => findHostPaths(host, directory, paths),
    isRealDirectory: (path) => files.isRealDirectory(path),
    checkDirectory: (path) => checkDirectory(client, path),
    async *readArchive(place, owner, signal) {
      await refuseLink(place)
      yield* readArchive(client, place, owner, signal)
    },
    async findSockets(place, owner, signal) {
      await refuseLink(place)
      return findSockets(client, place, owner, signal)
    },
    async writeArchive(place, bytes, owner, signal) {
      await refuseLink(place)
      await writeArchive(client, place, bytes, owner, signal)
    },
    async clearPlace(place, paths, owner, signal) {
      await refuseLink(place)
      await clearPlace(client, place, paths, owner, signal)
    },
    removeArchiveHelpers: (owner) => removeArchiveHelpers(client, owner),
    async close() {
      events.close()
      // If the Engine does not respond, its helpers stay; another process removes them once they
      // are old.
      await files.remove().catch(ignoreError('remove helper containers'))
      client.close()
    },
  }
  return guarded(protectInstallation(engine, identifyOn(client)), client)
}
