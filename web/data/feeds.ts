import { api, unwrap } from './api.ts'
import { type Feed, type FeedOptions, followFeed, type Socket } from './feed.ts'
import { feedAddress } from './feed-address.ts'
import type { Params } from './paths.ts'

type Message = string | ArrayBuffer

/** What a page can do with a feed besides reading it. */
type More = Pick<FeedOptions, 'explain' | 'onReconnect' | 'reconnects'>

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
  return followFeed({
    ...more,
    onMessage,
    ticket: () => unwrap(api.POST('/ws/ticket')),
    connect: (ticket) => new WebSocket(feedAddress(path, params, ticket, location)) as Socket,
  })
}
