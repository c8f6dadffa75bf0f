import { effect } from '@preact/signals'
import type { Feed } from './feed.ts'

/** The most bytes to queue until the feed is live. Later ones are dropped. */
const keptMax = 65_536

/**
 * Returns a function that sends on a feed. It keeps what is sent before the feed is live, and sends
 * that first: people type before a shell has started.
 */
export function sendEarly(
  feed: Pick<Feed, 'state' | 'send'>,
): (message: Uint8Array<ArrayBuffer>) => void {
  const kept: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const stop = effect(() => {
    if (feed.state.value === 'connecting') return
    if (feed.state.value === 'live') for (const message of kept.splice(0)) feed.send(message)
    // The first run of an effect ends before its disposer is known.
    queueMicrotask(() => stop())
  })
  return (message) => {
    if (feed.state.peek() === 'live') feed.send(message)
    if (feed.state.peek() !== 'connecting' || bytes + message.length > keptMax) return
    bytes += message.length
    kept.push(message)
  }
}
