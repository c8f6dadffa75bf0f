import type { Duplex } from 'node:stream'
import { onAbort } from '../transport/deadline.ts'

/**
 * Yields data from a connection until it ends or is lost. Stopping early does not close the
 * connection, and its errors are handled elsewhere. Throws the signal's reason when it aborts.
 */
export async function* socketChunks(
  socket: Duplex,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  let isOver = socket.destroyed || socket.readableEnded
  let wake = () => {}
  const onReadable = () => wake()
  const end = () => {
    isOver = true
    wake()
  }
  const stopListening = onAbort(signal, onReadable)
  socket.on('readable', onReadable).on('end', end).on('close', end)
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
    stopListening()
    socket.off('readable', onReadable).off('end', end).off('close', end)
  }
}

/** Writes, and waits until there is room. Also resolves if the connection is closed. */
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
