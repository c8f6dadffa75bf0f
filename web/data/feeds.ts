import { api, unwrap } from './api.ts'
import { type Feed, type FeedOptions, followFeed, type Socket } from './feed.ts'
import { feedAddress } from './feed-address.ts'
import type { Params } from './paths.ts'

type Message = string | ArrayBuffer

/** What a page can do with a feed besides reading it. */
type More = Pick<FeedOptions, 'explain' | 'onReconnect' | 'reconnects' | 'silenceMax'>

/** Milliseconds for a ticket, and then for a connection to open. */
const openingMax = 20_000

/** The feeds of this page. */
const opened = new Set<Feed>()

/**
 * Opens a feed such as `/ws/stats/{id}` with a ticket for each connection, and follows it until it
 * ends or is closed.
 */
export function openFeed(
  path: `/ws/${string}`,
  params: Params,
  onMessage: (data: Message) => void,
  more: More = {},
): Feed {
  const feed = followFeed({
    ...more,
    onMessage,
    openingMax,
    // The connections of the others go the same way.
    onSilence: renewAll,
    ticket: () => unwrap(api.POST('/ws/ticket', { signal: AbortSignal.timeout(openingMax) })),
    connect: (ticket) => new WebSocket(feedAddress(path, params, ticket, location)) as Socket,
  })
  opened.add(feed)
  return {
    ...feed,
    close() {
      opened.delete(feed)
      feed.close()
    },
  }
}

function renewAll(): void {
  for (const one of opened) one.renew()
}

function retryAll(): void {
  for (const one of opened) one.retry()
}

// A browser that goes offline leaves connections open which nothing arrives on any more.
globalThis.addEventListener?.('offline', renewAll)
globalThis.addEventListener?.('online', retryAll)
