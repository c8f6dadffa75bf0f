import type { Readable, Writable } from 'node:stream'

/** A stream to write to, and what is known of the terminal behind it. */
export type Out = Writable & { isTTY?: boolean; columns?: number; rows?: number }

/** Everything of the outside that the client touches besides files and sockets. */
export interface Io {
  stdin: Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  stdout: Out
  stderr: Out
  env: Readonly<Record<string, string | undefined>>
  platform: string
  cwd: string
  /** Calls the listener instead of ending at an interrupt; answers with what undoes it. */
  onInterrupt?(listener: () => void): () => void
}
