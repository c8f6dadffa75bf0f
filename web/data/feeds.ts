import { api, unwrap } from './api.ts'
import { base } from './browser-endpoints.ts'
import { type Feed, type FeedOptions, followFeed, type Socket } from './feed.ts'
import { addressOf, type Params } from './paths.ts'

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
    ticket: async () => (await unwrap(api.POST('/ws/ticket'))).ticket,
    connect: (ticket) => connect(addressOf(path, { ...params, ticket })),
  })
}

function connect(address: string): Socket {
  const { protocol, host } = location
  const scheme = protocol === 'https:' ? 'wss:' : 'ws:'
  return new WebSocket(`${scheme}//${host}${base}${address}`) as Socket
}
