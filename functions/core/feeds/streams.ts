import { Broadcast, type Piece } from './broadcast.ts'
import type { Source, Streams } from './ports.ts'

/**
 * Returns the shared streams of this process. A stream starts with its first follower and stops
 * when the last one leaves.
 */
export function sharedStreams(): Streams {
  const running = new Map<string, Broadcast<any>>()
  return {
    follow<T extends Piece>(key: string | undefined, source: Source<T>, signal?: AbortSignal) {
      const known = key === undefined ? undefined : running.get(key)
      if (known) return known.follow(signal)
      const stop = new AbortController()
      const forget = () => {
        if (key !== undefined && running.get(key) === out) running.delete(key)
      }
      const out = new Broadcast<T>(() => {
        forget()
        stop.abort()
      })
      if (key !== undefined) running.set(key, out)
      const follower = out.follow(signal)
      void run(source, out, stop.signal).finally(forget)
      return follower
    },
    begun: (key) => running.get(key)?.begun ?? false,
    get size() {
      return running.size
    },
  }
}

async function run<T extends Piece>(source: Source<T>, out: Broadcast<T>, signal: AbortSignal) {
  try {
    await source(out, signal)
    out.end()
  } catch (error) {
    out.end(error)
  }
}
