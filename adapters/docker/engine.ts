import type { FilePlace } from '../../functions/core/engine/archives.ts'
import type { Engine } from '../../functions/core/engine/engine.ts'
import { broken } from '../../functions/core/errors.ts'
import { started } from '../../functions/core/promises.ts'
import type { RegistryCredentials } from '../../functions/core/registries/registry.ts'
import { containerAccess } from './access.ts'
import { actOn } from './actions.ts'
import { clearPlace } from './clear-place.ts'
import { engineClient } from './client.ts'
import { containerDetails, shownContainer, summaryOf } from './containers.ts'
import { followEvents, pastEvents } from './event-stream.ts'
import { engineEvents } from './events.ts'
import { startCommand } from './exec-session.ts'
import { executeStep } from './execute.ts'
import { fileMemory } from './file-memory.ts'
import { findHostLinks, writeHostFiles } from './files.ts'
import { guarded } from './guarded.ts'
import { helpers } from './helper.ts'
import { pruneImages, removeImage } from './image-removal.ts'
import { tagImage } from './images.ts'
import { engineInfo } from './info.ts'
import { engineLists } from './lists.ts'
import { logBatches, readLogs } from './logs.ts'
import { observeProject, projectContainers } from './observe.ts'
import { readArchive, tidyArchives, writeArchive } from './place-archives.ts'
import { pullImage } from './pull.ts'
import { readHostFiles } from './read-files.ts'
import { checkedReference } from './reference.ts'
import { removeContainer } from './removal.ts'
import { resolveNames } from './resolve.ts'
import { containerRuns } from './runs.ts'
import { engineSampler } from './sample.ts'
import { containerStats } from './stats.ts'
import type { Transport } from './transport.ts'

/** How to reach an Engine. */
export interface DockerEngineOptions {
  transport: Transport
  /** The host's name for messages. */
  host: string
  /**
   * The absolute path on the host of the stacks. Each stack's files are accessed through its own
   * helper container.
   */
  stacksDirectory: string
  /** Credentials for pulls and builds. */
  registries?: RegistryCredentials
  /** Milliseconds. The deadline of short calls; the default is 5 s. */
  deadline?: number
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
  const { transport, host: name, registries, deadline } = options
  const client = engineClient(transport, name, registries, deadline)
  const events = engineEvents(client)
  const lists = engineLists(client, events)
  const kept = containerRuns(client, events)
  const sample = engineSampler(client, lists, kept)
  const files = helpers(client, options.stacksDirectory)
  const host = { client, helpers: files, memory: fileMemory() }

  const refuseLink = async (place: FilePlace) => {
    if (place.kind === 'directory') await files.refuseLink(place.path)
  }
  const forget = () => {
    lists.invalidate()
    kept.forget()
  }
  /**
   * Caches are cleared before and after the work: a read that starts in between may return either
   * state.
   */
  async function changing<T>(work: Promise<T>): Promise<T> {
    started(work)
    forget()
    try {
      return await work
    } finally {
      forget()
    }
  }

  const engine: DockerEngine = {
    info: engineInfo(client, lists),
    apiVersion: () => client.apiVersion(),
    observe: (project) => observeProject(client, project),
    projectContainers: (project) => projectContainers(client, project),
    runs: (containers) => kept.runs(containers),
    resolve: (wanted) => resolveNames(client, wanted),
    execute: (step, signal) => {
      const work = executeStep(client, events, files, step, signal)
      return step.action === 'wait' ? work : changing(work)
    },
    containers: ({ all }) => (all ? lists.containers() : lists.running()),
    container: (id) => containerDetails(client, id),
    access: (id) => containerAccess(client, id),
    async act(id, action) {
      const { Id } = await shownContainer(client, id)
      await changing(actOn(client, Id, action))
      return summaryOf(client, Id)
    },
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
    exec: (id, execOptions, signal) => startCommand(client, id, execOptions, signal),
    images: () => lists.images(),
    async pullImage(reference, signal) {
      checkedReference(reference)
      await client.ping()
      const { id } = await changing(pullImage(client, reference, { signal }))
      const image = (await lists.images()).find((one) => one.id === id)
      if (!image)
        throw broken(`Pulling ${reference} brought an image that is gone again from host ${name}`)
      return image
    },
    tagImage: (id, reference) => changing(tagImage(client, id, reference)),
    removeImage: (id, { force }) => changing(removeImage(client, id, { force })),
    async pruneImages(signal) {
      await client.ping()
      return changing(pruneImages(client, signal))
    },
    networks: () => lists.networks(),
    volumes: () => lists.volumes(),
    writeFiles: (directory, written, remove) => writeHostFiles(host, directory, written, remove),
    readFiles: (directory, paths, how) => readHostFiles(host, directory, paths, how),
    findLinks: (directory, paths) => findHostLinks(host, directory, paths),
    isRealDirectory: (path) => files.isRealDirectory(path),
    async *readArchive(place, owner, signal) {
      await refuseLink(place)
      yield* readArchive(client, place, owner, signal)
    },
    async writeArchive(place, bytes, owner, signal) {
      await refuseLink(place)
      await writeArchive(client, place, bytes, owner, signal)
    },
    async clearPlace(place, paths, owner, signal) {
      await refuseLink(place)
      await clearPlace(client, place, paths, owner, signal)
    },
    tidyArchives: (owner) => tidyArchives(client, owner),
    async close() {
      events.close()
      // If the Engine does not answer, its helpers stay; another process removes them once they are
      // old.
      await files.remove().catch(() => {})
      client.close()
    },
  }
  return guarded(engine, name)
}
