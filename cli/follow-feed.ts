import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { ApiFailure, CliFailure, failed } from './failure.ts'
import type { FeedRequest } from './feed.ts'
import type { Printer } from './print.ts'

/** Milliseconds between reconnects. The last value repeats. */
const pauses = [250, 500, 1000, 2000, 5000]

/**
 * Yields the messages of a feed and reconnects after interruptions, with the query that `query`
 * returns then. Ends when the feed's subject has ended, the consumer stops or `signal` aborts.
 * Throws a `CliFailure` if the feed cannot be opened the first time, or is no longer permitted.
 */
export async function* followFeed(
  client: Pick<Client, 'feed'>,
  path: string,
  query: () => FeedRequest['query'],
  print: Pick<Printer, 'note'>,
  signal?: AbortSignal,
): AsyncGenerator<string, void, void> {
  for (let lost = 0; ; lost += 1) {
    const feed = await opened(client, path, query, lost > 0, signal)
    const close = () => feed.close()
    signal?.addEventListener('abort', close)
    try {
      if (signal?.aborted) return
      for await (const message of feed.messages) {
        lost = 0
        yield String(message)
      }
    } finally {
      signal?.removeEventListener('abort', close)
      feed.close()
    }
    const { code, reason } = await feed.ended
    if (code === 1000 || signal?.aborted) return
    if (code === 1008) throw new CliFailure(4, reason || 'the feed was closed')
    print.note(`cli: the connection was lost${reason && ` (${reason})`}; reconnecting`)
    await pause(pauses[Math.min(lost, pauses.length - 1)], undefined, { signal })
  }
}

async function opened(
  client: Pick<Client, 'feed'>,
  path: string,
  query: () => FeedRequest['query'],
  again: boolean,
  signal: AbortSignal | undefined,
) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await client.feed(path, query())
    } catch (error) {
      if (!again || !isPassing(error)) throw error
    }
    await pause(pauses[Math.min(tries, pauses.length - 1)], undefined, { signal })
  }
}

/** Returns true for failures that may pass: the service is unreachable, starting or stopping. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status >= 500
  return error instanceof CliFailure && error.exitCode === 1
}

/** Parses a message. Throws a `CliFailure` if it is not JSON. */
export function parseMessage<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw failed('the feed sent something that is not JSON')
  }
}
