import type {
  ContainerState,
  ObservedContainer,
  ObservedVolume,
} from '../../../functions/compose/snapshot.ts'
import type { EngineBody } from '../../../functions/compose/step.ts'
import { notFound } from '../../../functions/core/errors.ts'
import type {
  ContainerSummary,
  ContainerUsage,
  LogLine,
} from '../../../functions/core/records/container.ts'
import type { EngineEvent, HostFile } from '../../../functions/core/records/host-engine.ts'
import { publishedPorts } from './engine-ports.ts'

/** A container in memory. */
export interface MemoryContainer {
  id: string
  name: string
  body: EngineBody
  image: string
  imageId: string
  state: ContainerState
  health: string | null
  exitCode: number | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  restarts: number
  startError: string | null
  outOfMemory: boolean
  /** How many times it was started. */
  runs: number
  /** Network name → network id. */
  networks: Record<string, string>
  logs: LogLine[]
  /** Path → content of files uploaded into the container. */
  uploads: Record<string, string>
}

export interface MemoryNetwork {
  id: string
  name: string
  labels: Record<string, string>
}

/** The state of an Engine in memory. `touch` must be called after each change. */
export interface EngineState {
  containers: Map<string, MemoryContainer>
  networks: Map<string, MemoryNetwork>
  volumes: Map<string, ObservedVolume>
  /** Reference → id. */
  images: Map<string, string>
  /** Ids of images that lost their last name. */
  unnamed: Set<string>
  /** References that can be pulled. */
  registry: Set<string>
  /** Absolute path on the host → file. */
  files: Map<string, HostFile>
  /** Symbolic links on the host: absolute path → target. */
  links: Map<string, string>
  /** Absolute paths outside of the directories of stacks that do not exist. All others do. */
  absent: Set<string>
  /** Image id → labels of the image itself. */
  imageLabels: Map<string, Record<string, string>>
  /** Archives written to a whole place: `volume <name>` or `directory <path>` → archive. */
  archives: Map<string, Uint8Array>
  /** Names of volumes whose driver does not tell how much they hold. */
  unmeasured: Set<string>
  /** The sockets of a place, by the same names. */
  sockets: Map<string, string[]>
  /** Events of containers. A test may remove some, as a real Engine forgets old ones. */
  events: EngineEvent[]
  /** When the Engine started, in milliseconds since the epoch. */
  startedAt: number
  /** Container name → resource usage that a test overrides. */
  usage: Map<string, Partial<ContainerUsage>>
  /** The number of changes so far. */
  changes: number
  nextId(): string
  now(): string
  /** Resolves at the next change, or rejects with the reason of the signal. */
  changed(signal: AbortSignal): Promise<void>
  touch(): void
}

/** Returns an Engine that has only the given images. `now` is in milliseconds. */
export function engineState(images: string[], registry: string[], now: () => number): EngineState {
  let ids = 0
  let waiting: (() => void)[] = []
  const state: EngineState = {
    containers: new Map(),
    networks: new Map(),
    volumes: new Map(),
    images: new Map(),
    unnamed: new Set(),
    registry: new Set(registry),
    files: new Map(),
    links: new Map(),
    absent: new Set(),
    imageLabels: new Map(),
    archives: new Map(),
    unmeasured: new Set(),
    sockets: new Map(),
    events: [],
    startedAt: 0,
    usage: new Map(),
    changes: 0,
    nextId() {
      ids += 1
      return ids.toString(16).padStart(64, '0')
    },
    now: () => new Date(now()).toISOString(),
    changed: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const stop = () => reject(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        waiting.push(() => {
          signal.removeEventListener('abort', stop)
          resolve()
        })
      }),
    touch() {
      state.changes += 1
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
  }
  for (const image of images) state.images.set(image, `sha256:${state.nextId()}`)
  return state
}

/** Returns the id of an image by its reference or id. */
export function findImageId(state: EngineState, reference: string): string | undefined {
  const isId = state.unnamed.has(reference) || [...state.images.values()].includes(reference)
  return state.images.get(reference) ?? (isId ? reference : undefined)
}

/** Returns the repository digests of an image. */
export function digestsOf(state: EngineState, id: string): string[] {
  const named = [...state.images].filter(
    ([reference, its]) => its === id && reference.includes('@'),
  )
  return named.map(([reference]) => reference)
}

/** Returns a container by its id or name. */
export function findContainer(state: EngineState, id: string): MemoryContainer | undefined {
  for (const container of state.containers.values()) {
    if (container.name === id || container.id === id) return container
  }
  return undefined
}

/**
 * Like `findContainer`.
 *
 * @throws 404 if there is no such container
 */
export function getContainer(state: EngineState, id: string): MemoryContainer {
  const container = findContainer(state, id)
  if (!container) throw notFound(`No such container: ${id}`)
  return container
}

export const labelsOf = (body: EngineBody) => (body.Labels ?? {}) as Record<string, string>

/** Returns a container's entry in lists. */
export function summaryOf(state: EngineState, container: MemoryContainer): ContainerSummary {
  const labels = labelsOf(container.body)
  return {
    id: container.id,
    name: container.name,
    image: container.image,
    imageId: container.imageId,
    state: container.state,
    status: statusOf(container),
    health: container.health,
    upSeconds: upSecondsOf(state, container),
    exitCode: container.exitCode,
    createdAt: container.createdAt,
    ports: container.state === 'running' ? publishedPorts(container.body) : [],
    labels,
    stack: labels['com.docker.compose.project'] ?? null,
    service: labels['com.docker.compose.service'] ?? null,
    volumeNames: mountsOf(container.body).flatMap(({ name }) => name || []),
    networkNames: Object.keys(container.networks),
  }
}

function upSecondsOf(state: EngineState, { state: now, startedAt }: MemoryContainer) {
  if (now !== 'running' && now !== 'paused') return null
  const up = Date.parse(state.now()) - Date.parse(startedAt ?? state.now())
  return Math.min(3600, Math.floor(up / 1000))
}

/** Returns a container as plans observe it. */
export function observedOf(container: MemoryContainer): ObservedContainer {
  const { id, name, state, health, exitCode, image, imageId, networks } = container
  const labels = labelsOf(container.body)
  return {
    id,
    name,
    service: labels['com.docker.compose.service'] ?? '',
    number: Number(labels['com.docker.compose.container-number'] ?? 0),
    oneoff: labels['com.docker.compose.oneoff'] === 'True',
    labels,
    state,
    health,
    exitCode,
    imageId,
    image,
    ports: container.state === 'running' ? publishedPorts(container.body) : [],
    networks: { ...networks },
    mounts: mountsOf(container.body),
  }
}

/**
 * Returns the binds (`source:destination`) and mounts; a bind source without a leading slash is a
 * volume.
 */
export function mountsOf(body: EngineBody) {
  const { Binds = [], Mounts = [] } = (body.HostConfig ?? {}) as {
    Binds?: string[]
    Mounts?: { Type: string; Source?: string; Target: string; ReadOnly?: boolean }[]
  }
  const binds = Binds.map((bind) => {
    const [source = '', destination = '', options = ''] = bind.split(':')
    const readOnly = options.split(',').includes('ro')
    return { type: source.startsWith('/') ? 'bind' : 'volume', source, destination, readOnly }
  })
  const mounts = Mounts.map(({ Type, Source = '', Target, ReadOnly = false }) => ({
    type: Type,
    source: Source,
    destination: Target,
    readOnly: ReadOnly,
  }))
  return [...binds, ...mounts].map((mount) => ({
    ...mount,
    name: mount.type === 'volume' ? mount.source : '',
  }))
}

function statusOf({ state, health, exitCode }: MemoryContainer): string {
  if (state === 'restarting') return `Restarting (${exitCode}) 1 second ago`
  if (state === 'created') return 'Created'
  if (state === 'exited') return `Exited (${exitCode}) 1 second ago`
  return health ? `Up 1 second (${health})` : 'Up 1 second'
}
