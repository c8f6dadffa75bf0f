import type { Source, Streams } from '../ports/streams.ts'
import { Broadcast, type BroadcastItem } from '../streams/broadcast.ts'
import { sharedReads } from './shared-reads.ts'

/**
 * Returns the shared streams of this process. A stream starts with its first follower and stops
 * when the last one leaves.
 */
export function sharedStreams(): Streams {
  // A key belongs to one source, so its stream has the items of that source.
  const running = new Map<string, Broadcast<BroadcastItem>>()
  return {
    subscribe<T extends BroadcastItem>(
      key: string | undefined,
      source: Source<T>,
      signal?: AbortSignal,
    ) {
      const known = key === undefined ? undefined : running.get(key)
      if (known) return (known as unknown as Broadcast<T>).subscribe(signal)
      const stop = new AbortController()
      const forget = () => {
        if (key !== undefined && running.get(key) === shared) running.delete(key)
      }
      const out = new Broadcast<T>(() => {
        forget()
        stop.abort()
      })
      const shared = out as unknown as Broadcast<BroadcastItem>
      if (key !== undefined) running.set(key, shared)
      const follower = out.subscribe(signal)
      void run(source, out, stop.signal).finally(forget)
      return follower
    },
    read: sharedReads(),
    hasStarted: (key) => running.get(key)?.hasStarted ?? false,
    get size() {
      return running.size
    },
  }
}

async function run<T extends BroadcastItem>(
  source: Source<T>,
  out: Broadcast<T>,
  signal: AbortSignal,
) {
  try {
    await source(out, signal)
    out.end()
  } catch (error) {
    out.end(error)
  }
}
