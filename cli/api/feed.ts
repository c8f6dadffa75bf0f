import { text } from 'node:stream/consumers'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { FeedClosing } from '../../functions/kit/feed-closing.ts'
import { ApiFailure, type CliFailure, failed } from '../failure.ts'
import { version } from '../version.ts'
import { feedsAddress } from './feeds-address.ts'
import { type Answer, belowPrefix, type Resource, type Target } from './http.ts'
import { refused } from './read-response.ts'
import type { Ticket } from './types.ts'
import { unreachable } from './unreachable.ts'

/**
 * Why a feed ended: the close code, which is 1006 for a lost connection, a reason of the API, and a
 * text that is empty if none was sent.
 */
export interface FeedEnd {
  code: number
  reason: string | undefined
  message: string
}

/** An open feed of the service. */
export interface Feed {
  /**
   * When it was opened, by the service's clock and rounded down to a second. Milliseconds since the
   * epoch.
   */
  openedAt: number
  /**
   * The messages, text as strings. The socket is read only while messages are consumed. Ends with
   * the feed.
   */
  messages: AsyncIterable<string | Buffer>
  /** Resolves once the message is sent. Await it when sending much. */
  send(message: string | Uint8Array): Promise<void>
  /** Closes the feed. Messages that have not arrived yet are dropped. */
  close(): void
  /** Resolves when it has ended, with why. */
  ended: Promise<FeedEnd>
}

/** Messages that may wait to be consumed. */
const waitingMax = 16
/** The connection counts as lost after this long without a ping from the service. Milliseconds. */
const silenceMax = 75_000

/**
 * Opens a feed with a ticket, at the address that came with it or else at the server's. Throws a
 * `CliFailure` with the service's own message, or with a reason if it cannot be reached.
 */
export async function openFeed(
  target: Target,
  { path, query }: Resource,
  { ticket, url }: Ticket,
): Promise<Feed> {
  const address = feedsAddress(target.server, url)
  const place = url === undefined ? target.server : `the address of the feeds ${address}`
  const { WebSocket: Socket } = await import('ws')
  const socket = new Socket(address + belowPrefix({ path, query: { ...query, ticket } }), {
    perMessageDeflate: false,
    rejectUnauthorized: !target.insecure,
    handshakeTimeout: 20_000,
    headers: { 'User-Agent': `cli/${version}` },
  })
  let openedAt = Date.now()
  socket.once('upgrade', ({ headers: { date } }) => {
    if (date) openedAt = Date.parse(date)
  })
  const feed = feedOf(socket)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ ...feed, openedAt }))
    socket.once('error', (error) => reject(unreachable(place, error)))
    socket.once('unexpected-response', (_request, response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then(
        (body) => reject(refusedUpgrade({ status, headers, text: body }, target, place)),
        (error) => reject(unreachable(place, error)),
      )
    })
  })
}

/** Returns the failure of a response at this place, which would have been a feed. */
function refusedUpgrade(answer: Answer, target: Target, place: string): CliFailure {
  const failure = refused(answer, target)
  if (!(failure instanceof ApiFailure)) {
    const type = answer.headers['content-type'] ?? 'no content type'
    return failed(`${place} responded with ${answer.status} and ${type}: there are no feeds`, {
      hint: 'a proxy has to pass WebSockets on; SERVICE_FEEDS_URL of the service says where feeds are',
    })
  }
  const isElsewhere = place !== target.server
  if (failure.status !== 401 || !isElsewhere) return failure
  return failure.reworded({
    hint: `refused by ${place}, which must have the store of ${target.server}`,
  })
}

type Closing = z.output<typeof FeedClosing>

/** Returns why the feed ends, if the message is its last one. */
function closingOf(message: string | Buffer): FeedEnd | undefined {
  if (typeof message !== 'string' || !message.startsWith('{"closing":')) return undefined
  const { closing } = JSON.parse(message) as Closing
  const { code, reason, message: text } = closing
  return { code, reason: reason ?? undefined, message: text }
}

/** Returns why a feed ended, as the text of its close frame says: `host-offline: …`. */
function endOfClose(code: number, text: string): FeedEnd {
  const [, reason, message = text] = /^([a-z][a-z-]*): (.*)$/s.exec(text) ?? []
  return { code, reason, message }
}

function feedOf(socket: WebSocket): Omit<Feed, 'openedAt'> {
  const waiting: (string | Buffer)[] = []
  let isOver = false
  let isUnwanted = false
  let closing: FeedEnd | undefined
  let wake = () => {}
  let silence: NodeJS.Timeout | undefined
  const restartTimeout = () => {
    clearTimeout(silence)
    silence = setTimeout(() => socket.terminate(), silenceMax)
  }
  socket.on('open', restartTimeout)
  socket.on('ping', restartTimeout)
  socket.on('error', () => {})
  socket.on('message', (data: Buffer, isBinary) => {
    if (isUnwanted) return
    const message = isBinary ? data : data.toString('utf8')
    closing = closingOf(message)
    if (closing) return
    waiting.push(message)
    if (waiting.length >= waitingMax) socket.pause()
    wake()
  })
  const ended = new Promise<FeedEnd>((resolve) => {
    socket.on('close', (code, reason) => {
      clearTimeout(silence)
      isOver = true
      resolve(closing ?? endOfClose(code, reason.toString('utf8')))
      wake()
    })
  })
  async function* messages() {
    for (;;) {
      const message = waiting.shift()
      if (message !== undefined) yield message
      else if (isOver) return
      else {
        restartTimeout()
        socket.resume()
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }
  return {
    messages: messages(),
    ended,
    send: (message) => new Promise((resolve) => socket.send(message, () => resolve())),
    close() {
      isUnwanted = true
      // The service's close frame comes after the unread messages.
      socket.resume()
      socket.close(1000)
    },
  }
}
