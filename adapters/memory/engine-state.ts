import type { EngineBody } from '../../functions/core/compose/step.ts'
import type {
  ContainerState,
  ContainerSummary,
  ContainerUsage,
  EngineEvent,
  HostFile,
  LogLine,
  ObservedContainer,
  ObservedVolume,
} from '../../functions/core/engine/engine.ts'
import { notFound } from '../../functions/core/errors.ts'

/** What is kept of a container. */
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
  /** How many times it was started. */
  runs: number
  /** Network name → network id. */
  networks: Record<string, string>
  logs: LogLine[]
  /** Path → content of the files put into it. */
  uploads: Record<string, string>
}

export interface MemoryNetwork {
  id: string
  name: string
  labels: Record<string, string>
}

/** Everything on an Engine in memory. Each change makes new lists. */
export interface EngineState {
  containers: Map<string, MemoryContainer>
  networks: Map<string, MemoryNetwork>
  volumes: Map<string, ObservedVolume>
  /** Reference → id. */
  images: Map<string, string>
  /** Ids of images that lost their last name. */
  unnamed: Set<string>
  /** References that a pull brings. */
  registry: Set<string>
  /** Absolute path on the host → file. */
  files: Map<string, HostFile>
  /** Links on the host: absolute path → target. */
  links: Map<string, string>
  /** Image id → labels of the image itself. */
  imageLabels: Map<string, Record<string, string>>
  /** What was written into a place as a whole: `volume <name>` or `directory <path>` → archive. */
  archives: Map<string, Uint8Array>
  /** What happened to containers, as far as it is remembered: a test may forget some. */
  events: EngineEvent[]
  /** Container name → what it uses, where a test says it. */
  usage: Map<string, Partial<ContainerUsage>>
  /** Counts the changes. */
  changes: number
  nextId(): string
  now(): string
  /** Resolves at the next change, or rejects with the reason of the signal. */
  changed(signal: AbortSignal): Promise<void>
  touch(): void
}

/** An Engine with the images given and nothing else. `now` is in milliseconds. */
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
    imageLabels: new Map(),
    archives: new Map(),
    events: [],
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

/** The id of an image by reference or by itself. */
export function findImageId(state: EngineState, reference: string): string | undefined {
  const isId = state.unnamed.has(reference) || [...state.images.values()].includes(reference)
  return state.images.get(reference) ?? (isId ? reference : undefined)
}

/** The repository digests of an image. */
export function digestsOf(state: EngineState, id: string): string[] {
  const named = [...state.images].filter(
    ([reference, its]) => its === id && reference.includes('@'),
  )
  return named.map(([reference]) => reference)
}

/** A container by id or name. */
export function findContainer(state: EngineState, id: string): MemoryContainer | undefined {
  for (const container of state.containers.values()) {
    if (container.name === id || container.id === id) return container
  }
  return undefined
}

/** The same, or a `Failure` 404. */
export function getContainer(state: EngineState, id: string): MemoryContainer {
  const container = findContainer(state, id)
  if (!container) throw notFound(`No such container: ${id}`)
  return container
}

export const labelsOf = (body: EngineBody) => (body.Labels ?? {}) as Record<string, string>

/** What lists show of a container. */
export function summaryOf(container: MemoryContainer): ContainerSummary {
  const labels = labelsOf(container.body)
  return {
    id: container.id,
    name: container.name,
    image: container.image,
    imageId: container.imageId,
    state: container.state,
    status: statusOf(container),
    health: container.health,
    exitCode: container.exitCode,
    createdAt: container.createdAt,
    ports: [],
    labels,
    stack: labels['com.docker.compose.project'] ?? null,
    service: labels['com.docker.compose.service'] ?? null,
  }
}

/** What a plan is told of a container. */
export function observedOf(container: MemoryContainer): ObservedContainer {
  const { id, name, state, health, exitCode, imageId, networks } = container
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
    ports: [],
    networks: { ...networks },
    mounts: mountsOf(container.body),
  }
}

/** Of each bind (`source:destination`) and each mount; a source without a slash is a volume. */
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
  if (state === 'created') return 'Created'
  if (state === 'exited') return `Exited (${exitCode}) 1 second ago`
  return health ? `Up 1 second (${health})` : 'Up 1 second'
}
