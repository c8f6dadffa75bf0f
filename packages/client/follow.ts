import { backoff } from './backoff.ts'
import { messagesOf, type Socket } from './connection.ts'
import { closingOf, endOfClose, type FeedEnd } from './feed-end.ts'
import { ServiceError } from './service-error.ts'

/** What following a feed needs. `Message` is what its JSON means. */
export interface Following<Message> {
  /** Opens a connection. `last` is the last message that was read. */
  connect: (last: Message | undefined) => Promise<Socket>
  /** Called for each connection after one that was lost, with how that one ended. */
  onReconnect?: (lost: FeedEnd) => void
  /** Called when its subject ended, with the exit code of a container that did. */
  onEnd?: (end: FeedEnd) => void
  signal?: AbortSignal
}

/**
 * Connections that may be refused one after another, before it is an error. Tickets may come from
 * another process than feeds, so a feed that was open may only be away.
 */
const refusalsMax = { first: 3, later: 12 }

/**
 * Yields the messages of a feed over any number of connections, until its subject ends or the
 * signal aborts.
 *
 * @throws ServiceError if the service refuses it, or if the caller's permission was revoked
 */
export async function* follow<Message>(options: Following<Message>): AsyncGenerator<Message, void> {
  const { signal } = options
  let last: Message | undefined
  let attempt = 0
  let refusals = 0
  let limit = refusalsMax.first
  let lost: FeedEnd | undefined
  while (!signal?.aborted) {
    const socket = await reachable(options.connect(last))
    if (socket) {
      const messages = messagesOf(socket, signal, () => {
        if (lost) options.onReconnect?.(lost)
      })
      let closing: FeedEnd | undefined
      let wasOpen = false
      try {
        let next = await messages.next()
        for (; !next.done; next = await messages.next()) {
          const message: unknown = JSON.parse(next.value)
          closing = closingOf(message)
          if (closing) continue
          attempt = 0
          last = message as Message
          yield last
        }
        wasOpen = next.value.wasOpen
        lost = closing ?? endOfClose(next.value.code, next.value.reason)
      } finally {
        // The reader may have stopped: this closes the connection.
        await messages.return({ code: 1000, reason: '', wasOpen: true })
      }
      if (signal?.aborted) return
      if (lost.code === 1000) return options.onEnd?.(lost)
      if (lost.code === 1008) throw refusalOf(lost)
      refusals = wasOpen ? 0 : refusals + 1
      if (wasOpen) limit = refusalsMax.later
      if (refusals >= limit) throw new ServiceError('the service refuses the feed', 0)
    }
    await backoff(attempt, signal)
    attempt += 1
  }
}

/** Returns the error of a feed that would end the same way again. */
function refusalOf({ message, reason }: FeedEnd): ServiceError {
  const status = reason === 'unexpected-message' ? 400 : 403
  return new ServiceError(message || 'not permitted', status, { reason })
}

/** Returns undefined if the service cannot be reached now, or cannot answer. */
async function reachable(connected: Promise<Socket>): Promise<Socket | undefined> {
  try {
    return await connected
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 0 || error.status >= 500))
      return undefined
    throw error
  }
}
