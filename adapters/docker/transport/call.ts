import type { Readable } from 'node:stream'
import type { Shape } from '../responses/shapes.ts'
import type { GoesOn } from './deadline.ts'

/** A call of the Engine API. `path` has no version; `ids.ts` has checked the ids in it. */
export interface EngineCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  path: string
  query?: Record<string, unknown>
  body?: unknown
  /** Headers besides those of every call. */
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** An archive to send, as a buffer or a stream. The call fails if the stream does. */
  file?: Buffer | Readable
  /** Encoded credentials: of one registry for a pull, of several for a build. */
  auth?: { pull?: string; build?: string }
  signal?: AbortSignal
  /** The expected shape of the response to `json`. */
  shape?: Shape
  /**
   * Milliseconds for the whole response, or for the headers of a stream. Null means no deadline;
   * the default is 5 s.
   */
  deadline?: number | null
  /** Decides, each time the deadline has passed, whether the call goes on. */
  goesOn?: GoesOn
}

/** The signal and the deadline (milliseconds) of a read. */
export interface ReadOptions {
  signal?: AbortSignal
  deadline?: number
}
