import type { EngineEventKind, EngineSubject } from './event-kinds.ts'

/** A link in a directory of a host. */
export interface FoundLink {
  /** Relative to that directory. */
  path: string
  /** Its target, as seen from a container that has only that directory. */
  target: string
}

/** What a path of a host is. `other`: a device or socket, or it is not known. */
export type HostPathKind = 'file' | 'directory' | 'other'

/** A change on a host. */
export interface EngineEvent {
  /** The same each time that the Engine reports the event. */
  id: string
  /** RFC 3339. */
  time: string
  /** What changed, and the Engine's name for it. */
  kind: EngineEventKind
  subject: { kind: EngineSubject; id: string; name: string | null }
  /**
   * `image`, `exit_code`, `signal`, `health`, `stack`, `service`, `container` and so on, if the
   * event has them.
   */
  details: Record<string, string | number>
}

/** A container was stopped, by an event of the Engine. */
export interface ReportedStop {
  /** Milliseconds since the epoch, by the Engine's clock. */
  at: number
  /**
   * It happened a moment ago, so that it can be part of the Engine's own end: an Engine that stops
   * stops its containers first.
   */
  isRecent: boolean
}

/** Since when an Engine runs. */
export interface EngineUptime {
  /** Milliseconds since the epoch, by the Engine's clock. */
  startedAt: number
  /** Milliseconds. */
  age: number
}

export interface HostFile {
  path: string
  content: Uint8Array
  mode: number
}

/** A symbolic link to write, relative to its own directory. */
export interface HostLink {
  path: string
  link: string
}

/** What is expected at a path: the bytes of a file, or a link. */
export type ExpectedFile = number | 'link'

/** What was found at a path: a file or a symbolic link. */
export type HostEntry =
  | {
      /** Null if the file has another size than expected. */
      sha256: string | null
      size: number
      mode: number
    }
  | { link: string }

export interface EngineInfo {
  /** The ID that it gave itself when it was installed; null if it has none. */
  id: string | null
  version: string
  apiVersion: string
  os: string
  arch: string
  cpus: number
  /** Bytes. */
  memory: number
  containers: { running: number; total: number }
}

export interface ImageSummary {
  id: string
  tags: string[]
  digests: string[]
  size: number
  /** Null if the image does not say it. */
  createdAt: string | null
  /** The number of containers that use it. */
  containers: number
}

/** What a pull has done with a layer of the image. */
export const layerStates = [
  'waiting',
  'downloading',
  'downloaded',
  'extracting',
  'done',
  'exists',
] as const

/** The progress of one layer of an image that is pulled. */
export interface PulledLayer {
  /** The first digits of its digest. */
  id: string
  state: (typeof layerStates)[number]
  /** Bytes that are downloaded or extracted; null while that is unknown. */
  current: number | null
  /** Bytes of the whole layer; null while that is unknown. */
  total: number | null
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

/** How much data a volume holds. */
export interface VolumeSize {
  name: string
  /** Null if its driver cannot tell. */
  bytes: number | null
}

/** The sockets of a place. */
export interface FoundSockets {
  count: number
  /** Paths relative to the place, sorted; the first 1000 that were found. */
  paths: string[]
}

/** A place on a host whose files can be read as one archive. */
export type FilePlace = { kind: 'volume'; name: string } | { kind: 'directory'; path: string }
