import type { Readable, Writable } from 'node:stream'

/** A stream to write to, and what is known about its terminal. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number }

/** Everything outside the program that the client uses, except files and sockets. */
export interface Io {
  stdin: Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  platform: string
  cwd: string
  /** Calls the listener on an interrupt instead of exiting. Returns a function that undoes this. */
  onInterrupt?(listener: () => void): () => void
  /** Calls the listener before a signal ends the program. Returns a function that undoes this. */
  onEnd?(listener: () => void): () => void
}
