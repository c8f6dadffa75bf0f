/** The part of a WebSocket that feeds use. */
export interface Socket {
  close(): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
}

/** Makes a WebSocket: the global class, or that of the package `ws`. */
export type SocketClass = new (url: string) => Socket

/** How a connection ended. `wasOpen` is false if it was refused. */
export interface End {
  code: number
  reason: string
  wasOpen: boolean
}

/** Characters that may wait to be read. The sockets of browsers cannot be paused. */
const waitingMax = 16 * 1024 * 1024

/**
 * Yields the messages of one connection, and returns how it ended. The connection is closed when
 * the reader stops or the signal aborts.
 *
 * @throws if messages are read more slowly than they arrive, for long
 */
export async function* messagesOf(
  socket: Socket,
  signal: AbortSignal | undefined,
  onOpen: () => void,
): AsyncGenerator<string, End> {
  const waiting: string[] = []
  let size = 0
  let end: End | undefined
  let wasOpen = false
  let wake = () => {}
  const close = () => socket.close()
  // A socket whose network is gone reports its end only after half a minute.
  const onAbort = () => {
    close()
    wake()
  }
  socket.addEventListener('open', () => {
    wasOpen = true
    onOpen()
  })
  // What went wrong follows as the end.
  socket.addEventListener('error', () => {})
  socket.addEventListener('message', ({ data }) => {
    const text = String(data)
    size += text.length
    waiting.push(text)
    if (size > waitingMax) close()
    wake()
  })
  socket.addEventListener('close', ({ code, reason }) => {
    end = { code, reason, wasOpen }
    wake()
  })
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      if (signal?.aborted) return { code: 1000, reason: '', wasOpen }
      if (size > waitingMax) throw new Error('the messages of the feed are read too slowly')
      const message = waiting.shift()
      if (message !== undefined) {
        size -= message.length
        yield message
      } else if (end) return end
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    close()
  }
}
