import { must } from '../../../functions/compose/must.ts'
import type { Step } from '../../../functions/compose/step.ts'
import { conflict, type Failure } from '../../../functions/core/errors.ts'
import { checkedReference } from '../../../functions/core/images/reference.ts'
import { noInstallation } from '../../../functions/core/owners/installation.ts'
import {
  type Identify,
  protectInstallation,
} from '../../../functions/core/owners/protect-installation.ts'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import type { ContainerProcess } from '../../../functions/core/records/container.ts'
import type { Installation } from '../../../functions/core/records/installation.ts'
import { checkedHostPath } from '../../../functions/core/stacks/host-path.ts'
import { nanoseconds } from '../../../functions/core/time/nanoseconds.ts'
import { clearPlace, findSockets, readArchive, writeArchive } from './engine-archives.ts'
import { attachTo } from './engine-attach.ts'
import { readPath, statPath, writePath } from './engine-container-files.ts'
import { emitEvent, followEvents } from './engine-events.ts'
import { startCommand } from './engine-exec.ts'
import { examineFiles, findLinks, findPaths, writeFile } from './engine-files.ts'
import {
  commitContainer,
  imageList,
  pruneImages,
  pullImage,
  removeImage,
  tagImage,
} from './engine-images.ts'
import { inspectionOf } from './engine-inspection.ts'
import { end, start } from './engine-life.ts'
import { keptLists, volumeSizes } from './engine-lists.ts'
import { policyOf, restartedOf, runOf, stopsOf, uptimeOf } from './engine-runs.ts'
import { sample } from './engine-sample.ts'
import {
  digestsOf,
  type EngineState,
  engineState,
  findContainer,
  findImageId,
  getContainer,
  type MemoryContainer,
  observedOf,
  summaryOf,
} from './engine-state.ts'
import { aliasesOf, executeStep } from './engine-steps.ts'
import { followLogs, readableContainer, stats } from './engine-streams.ts'

/** The initial state of an Engine in memory. */
export interface MemoryEngineOptions {
  /** References of its images; `busybox:latest` by default. */
  images?: string[]
  /** References that can be pulled. */
  registry?: string[]
  /** Milliseconds since the epoch. */
  now?: () => number
}

/** An Engine in memory, with access for the test. */
export interface MemoryEngine extends Engine {
  readonly state: EngineState
  /** Every step that was executed, in the order of the calls. */
  readonly executed: Step[]
  /** Set this to make steps fail: a failure that it returns for a step is thrown instead. */
  failing: ((step: Step) => Failure | undefined) | undefined
  /** Set this to make every call fail, as if the host were unreachable. */
  offline: Failure | undefined
  /** Set this to make something that of the service. */
  own: Installation
}

const byId = (name: string, state: EngineState) =>
  state.images.has(name) ? {} : { byId: true as const }

/**
 * Returns an Engine that runs nothing. Containers behave as their command says (see engine-life).
 */
export function memoryEngine(options: MemoryEngineOptions = {}): MemoryEngine {
  const { images = ['busybox:latest'], registry = [], now = Date.now } = options
  const state = engineState(images, registry, now)
  const lists = keptLists(state)

  /** Runs a call. It is asynchronous as with a real Engine, and fails while the host is offline. */
  async function call<T>(work: () => T | Promise<T>): Promise<T> {
    await Promise.resolve()
    if (engine.offline) throw engine.offline
    return work()
  }
  const changing = <T>(work: () => T | Promise<T>) =>
    call(async () => {
      try {
        return await work()
      } finally {
        state.touch()
      }
    })

  async function* stream<T>(open: () => AsyncIterable<T>) {
    yield* await call(open)
  }

  const engine: MemoryEngine = {
    state,
    executed: [],
    failing: undefined,
    offline: undefined,
    own: noInstallation,
    installation: () => call(() => engine.own),
    info: () =>
      call(() => ({
        id: 'memory',
        version: '20.10.24',
        apiVersion: '1.41',
        os: 'linux',
        arch: 'x86_64',
        cpus: 2,
        memory: 4 * 1024 ** 3,
        containers: { running: lists.running().length, total: state.containers.size },
      })),
    apiVersion: () => call(() => '1.41'),
    observe: (project) => call(() => observed(state, project)),
    projectContainers: (project) => call(() => observed(state, project).containers),
    runs: (containers) =>
      call(() => containers.flatMap(({ id }) => state.containers.get(id) ?? []).map(runOf)),
    resolve: (wanted) =>
      call(() => ({
        networks: picked(wanted.networks, (name) => networkOf(state, name)),
        volumes: picked(wanted.volumes, (name) => state.volumes.get(name)),
        images: picked(wanted.images, (name) => {
          const id = findImageId(state, checkedReference(name))
          if (id === undefined) return undefined
          const labels = state.imageLabels.get(id) ?? {}
          const platform = { os: 'linux', architecture: 'amd64' }
          const digests = digestsOf(state, id)
          return { id, digests, taggedAt: null, labels, platform, ...byId(name, state) }
        }),
      })),
    execute(step, signal) {
      const work = () => {
        signal.throwIfAborted()
        engine.executed.push(step)
        const failure = engine.failing?.(step)
        if (failure) throw failure
        return executeStep(state, step, signal)
      }
      return step.action === 'wait' ? call(work) : changing(work)
    },
    containers: ({ all }) => call(() => (all ? lists.all() : lists.running())),
    container: (id) => call(() => detailsOf(state, getContainer(state, id))),
    access: (id) => call(() => accessOf(getContainer(state, id))),
    inspection: (id) => call(() => inspectionOf(state, getContainer(state, id))),
    statInContainer: (id, path) => call(() => statPath(getContainer(state, id), path)),
    readFromContainer: (id, path, signal) =>
      stream(() => readPath(getContainer(state, id), path, signal)),
    writeIntoContainer: (id, directory, archive) =>
      call(() => writePath(getContainer(state, id), directory, archive)),
    processes: (id) => call(() => processesOf(getContainer(state, id))),
    act: (id, action) =>
      changing(() => {
        const container = getContainer(state, id)
        if (action.kind === 'kill') end(state, container, 137)
        if (action.kind === 'stop' || action.kind === 'restart') end(state, container, 143)
        if (action.kind === 'stop') emitEvent(state, container, 'stop')
        if (action.kind === 'start' || action.kind === 'restart') start(state, container)
        return summaryOf(state, container)
      }),
    removeContainer: (id, { force }) =>
      changing(() => {
        const container = getContainer(state, id)
        if (container.state === 'running' && !force) throw conflict(`${container.name} is running`)
        state.containers.delete(container.id)
      }),
    logs: (id, { tail, since, until }) =>
      call(() => {
        const { logs } = readableContainer(state, id)
        const from = since === undefined ? 0n : nanoseconds(since)
        const end = until === undefined ? undefined : nanoseconds(until)
        const recent = logs.filter(
          ({ time }) =>
            nanoseconds(time) >= from && (end === undefined || nanoseconds(time) <= end),
        )
        return recent.slice(Math.max(0, recent.length - tail))
      }),
    followLogs: (id, options, signal) => stream(() => followLogs(state, id, options, signal)),
    sample: () => call(() => sample(state)),
    stats: (id, signal) => stream(() => stats(state, id, signal)),
    events: (signal) => followEvents(state, () => engine.offline !== undefined, signal),
    pastEvents: () =>
      call(() => ({ oldest: state.events[0]?.time ?? null, events: [...state.events] })),
    stops: () => call(() => stopsOf(state)),
    restarted: () => call(() => restartedOf(state)),
    uptime: () => call(() => uptimeOf(state)),
    attach: (id, _options, signal) => call(() => attachTo(state, getContainer(state, id), signal)),
    exec: (id, options, signal) => call(() => startCommand(state, id, options, signal)),
    images: () => call(() => lists.images()),
    pullImage: (reference, signal, options = {}) =>
      changing(() => {
        signal.throwIfAborted()
        const id = pullImage(state, reference, options)
        options.report?.({
          id: id.slice('sha256:'.length),
          state: 'done',
          current: null,
          total: null,
        })
        return must(
          imageList(state).find((one) => one.id === id),
          'image that was pulled',
        )
      }),
    commitContainer: (id) =>
      changing(() => {
        getContainer(state, id)
        return commitContainer(state)
      }),
    tagImage: (id, reference) => changing(() => tagImage(state, id, reference)),
    removeImage: (id, { force }) => changing(() => removeImage(state, id, force)),
    namelessImages: () => call(() => imageList(state).filter(({ tags }) => tags.length === 0)),
    pruneImages: (images) => changing(() => pruneImages(state, images)),
    networks: () => call(() => lists.networks()),
    aliasesIn: (network) =>
      call(() => {
        const found = [...state.containers.values()].filter(({ networks }) => networks[network])
        return new Map(found.map(({ id, body }) => [id, aliasesOf(body, network)]))
      }),
    volumes: () => call(() => lists.volumes()),
    volumeSizes: () => call(() => volumeSizes(state)),
    writeFiles: (directory, files, remove = []) =>
      call(() => {
        for (const path of [...files.map((file) => file.path), ...remove]) checkedHostPath(path)
        for (const file of files) writeFile(state, directory, file)
        for (const path of remove) {
          state.files.delete(`${directory}/${path}`)
          state.links.delete(`${directory}/${path}`)
        }
      }),
    // A directory in memory exists as long as a file in it does.
    removeEmptyDirectory: (_directory, paths) => call(() => void paths.map(checkedHostPath)),
    examineFiles: (directory, expected) =>
      call(() => examineFiles(state, directory, [...expected.keys()])),
    readFiles: (directory, paths) =>
      call(() =>
        paths
          .map((path) => state.files.get(`${directory}/${checkedHostPath(path)}`))
          .filter((file) => file !== undefined),
      ),
    findLinks: (directory, paths) => call(() => findLinks(state, directory, paths)),
    findPaths: (directory, paths) => call(() => findPaths(state, directory, paths)),
    isRealDirectory: (path) => call(() => findLinks(state, '', [path]).length === 0),
    checkDirectory: () => call(() => {}),
    readArchive: (place, _owner, signal) => stream(() => readArchive(state, place, signal)),
    writeArchive: (place, archive, _owner, signal) =>
      call(() => writeArchive(state, place, archive, signal)),
    findSockets: (place) => call(() => findSockets(state, place)),
    clearPlace: (place, paths) => call(() => clearPlace(state, place, paths)),
    removeArchiveHelpers: () => call(() => {}),
  }
  return Object.assign(engine, protectInstallation({ ...engine }, identifyIn(state)))
}

const identifyIn = (state: EngineState): Identify => ({
  async container(named) {
    const found = findContainer(state, named)
    if (!found) return undefined
    const { id, name, body, networks } = found
    return { id, name, hostname: String(body.Hostname ?? ''), networks: Object.keys(networks) }
  },
  async image(named) {
    const id = findImageId(state, named)
    return id === undefined ? undefined : { id, isPulled: digestsOf(state, id).length > 0 }
  },
  network: async (named) => state.networks.get(named)?.name,
})

function observed(state: EngineState, project: string) {
  const belongs = (labels: Record<string, string>) =>
    labels['com.docker.compose.project'] === project
  return {
    project,
    containers: [...state.containers.values()]
      .map(observedOf)
      .filter(({ labels }) => belongs(labels) && 'com.docker.compose.config-hash' in labels),
    networks: [...state.networks.values()]
      .filter(({ labels }) => belongs(labels))
      .flatMap(({ name }) => networkOf(state, name) ?? []),
    volumes: [...state.volumes.values()].filter(({ labels }) => belongs(labels)),
  }
}

function networkOf(state: EngineState, name: string) {
  const network = state.networks.get(name)
  if (!network) return undefined
  const attached = [...state.containers.values()].filter(
    (container) => container.networks[name] && container.state === 'running',
  )
  return { ...network, containers: attached.map(({ id }) => id) }
}

function picked<T>(names: string[], find: (name: string) => T | undefined): Record<string, T> {
  const found: Record<string, T> = {}
  for (const name of names) {
    const value = find(name)
    if (value !== undefined) found[name] = value
  }
  return found
}

/** The parts of a create call that the details of a container show. */
interface CreatedBody {
  Cmd?: string | string[]
  Entrypoint?: string | string[]
  Env?: string[]
}

function detailsOf(state: EngineState, container: MemoryContainer) {
  const { Cmd = [], Entrypoint = [], Env = [] } = container.body as CreatedBody
  return {
    ...summaryOf(state, container),
    command: [Cmd].flat(),
    entrypoint: [Entrypoint].flat(),
    env: Env,
    mounts: observedOf(container).mounts.map(({ type, source, destination }) => ({
      type,
      source,
      destination,
      read_only: false,
    })),
    networks: Object.keys(container.networks).map((name) => ({
      name,
      ip_address: '',
      aliases: [container.name],
    })),
    restartPolicy: policyOf(container),
    startedAt: container.startedAt,
    finishedAt: container.finishedAt,
    exitCode: container.exitCode,
    healthOutput: null,
  }
}

/** A running container has one process: its command. */
function processesOf({ state, id, body }: MemoryContainer): ContainerProcess[] {
  if (state !== 'running' && state !== 'paused') return []
  const { Cmd = [] } = body as { Cmd?: string[] | string }
  const pid = 1 + (Number.parseInt(id.slice(0, 6), 16) || 1)
  const facts = { pid, parentPid: 1, user: 'root', started: '10:00', cpuTime: '00:00:00' }
  return [{ ...facts, command: [Cmd].flat().join(' ') }]
}

function accessOf(container: MemoryContainer) {
  const { id, name, networks } = container
  const { HostConfig = {} } = container.body as { HostConfig?: Record<string, unknown> }
  return {
    id,
    name,
    networks: Object.keys(networks),
    hostConfig: { ...HostConfig },
    mounts: observedOf(container).mounts.map((mount) => ({
      ...mount,
      readOnly: mount.readOnly ?? false,
      driver: mount.type === 'volume' ? 'local' : '',
    })),
    cgroupVersion: '2',
    controlPaths: ['/var/lib/docker'],
  }
}
