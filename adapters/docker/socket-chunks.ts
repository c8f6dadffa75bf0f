import type { Duplex } from 'node:stream'
import { onAbort } from './deadline.ts'

/**
 * What comes from a connection, until its end or its loss. Leaving it does not close the connection, whose errors are for
 * others to hear. Throws the signal's reason when that is aborted.
 */
export async function* socketChunks(
  socket: Duplex,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  let isOver = socket.destroyed || socket.readableEnded
  let wake = () => {}
  const stir = () => wake()
  const end = () => {
    isOver = true
    wake()
  }
  const unheed = onAbort(signal, stir)
  socket.on('readable', stir).on('end', end).on('close', end)
  try {
    for (;;) {
      signal.throwIfAborted()
      const chunk: Buffer | null = socket.read()
      if (chunk !== null) yield chunk
      else if (isOver) return
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    unheed()
    socket.off('readable', stir).off('end', end).off('close', end)
  }
}

/** Writes, and waits for room; resolves too when the connection takes nothing any more. */
export async function writeTo(socket: Duplex, data: Uint8Array): Promise<void> {
  if (!socket.writable || socket.write(data)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}
