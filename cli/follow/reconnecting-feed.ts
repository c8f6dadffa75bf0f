import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../api/client.ts'
import type { FeedPath, FeedRequestOf, MessageOf } from '../api/endpoints.ts'
import type { Feed, FeedEnd } from '../api/feed.ts'
import { CliFailure, failed, isTemporary, withHint } from '../failure.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { hintOf } from '../reason-hints.ts'

/** Milliseconds between reconnects. The last value repeats. */
const pauses = [250, 500, 1000, 2000, 5000]

/** A message as it was sent, and what it holds. */
export interface FeedMessage<T> {
  text: string
  message: T
}

interface Options {
  print: Pick<Printer, 'note'>
  signal?: AbortSignal
  /** Called after each connect. */
  connected?(feed: Feed): void
}

/**
 * Yields the messages of a feed and reconnects after interruptions, with the request that `request`
 * returns then. Ends when the feed's subject has ended, the consumer stops or `signal` aborts.
 * Throws a `CliFailure` if the feed cannot be opened the first time, or is no longer permitted.
 */
export async function* followFeed<P extends FeedPath>(
  client: Pick<Client, 'feed'>,
  path: P,
  request: () => FeedRequestOf<P>,
  { print, signal, connected }: Options,
): AsyncGenerator<FeedMessage<MessageOf<P>>, void, void> {
  const open = () => client.feed(path, request())
  for (let lost = 0; ; lost += 1) {
    const feed = await (lost === 0 ? open() : withRetries(open, signal))
    connected?.(feed)
    const close = () => feed.close()
    signal?.addEventListener('abort', close)
    try {
      if (signal?.aborted) return
      for await (const message of feed.messages) {
        lost = 0
        const text = String(message)
        // Not validated, as the values of responses are not.
        yield { text, message: parseMessage(text) as MessageOf<P> }
      }
    } finally {
      signal?.removeEventListener('abort', close)
      feed.close()
    }
    const { code, reason, message } = await feed.ended
    if (code === 1000 || signal?.aborted) return
    if (code === 1008) throw withdrawn({ reason, message })
    print.note(`cli: the connection was lost${message && ` (${clean(message)})`}; reconnecting`)
    await pause(pauses[Math.min(lost, pauses.length - 1)], undefined, { signal })
  }
}

/** Returns the failure of a feed that the service closed for good. */
export const withdrawn = ({ reason, message }: Omit<FeedEnd, 'code'>) =>
  withHint(new CliFailure(4, message || 'the feed was closed'), hintOf(reason))

async function withRetries<T>(open: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await open()
    } catch (error) {
      if (!isTemporary(error)) throw error
    }
    await pause(pauses[Math.min(tries, pauses.length - 1)], undefined, { signal })
  }
}

/**
 * Remembers when a feed first opened: where one that has sent nothing yet continues after a lost
 * connection. Pass `connected` to `followFeed`.
 */
export function beginOfFeed() {
  let openedAt: string | undefined
  return {
    /** Returns when it opened, or undefined before. */
    from: () => openedAt,
    connected(feed: Feed) {
      // Only what is later is sent again, and a line can be of that very moment.
      openedAt ??= new Date(feed.openedAt - 1).toISOString()
    },
  }
}

/** Parses a message. Throws a `CliFailure` if it is not JSON. */
export function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw failed('the feed sent something that is not JSON')
  }
}
