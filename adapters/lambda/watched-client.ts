import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoreClient } from '../dynamo/client.ts'

/** A client of the store that knows its calls in progress. */
export interface WatchedClient extends StoreClient {
  /** Waits until no call is in progress and none follows from one that has ended. */
  idle(): Promise<void>
}

/**
 * Returns a client that can be waited for. Some writes, such as the last use of an API token, are
 * not part of a request, and would stop halfway when the process is frozen after the response.
 */
export function watchCalls(client: StoreClient): WatchedClient {
  const running = new Set<Promise<unknown>>()
  return {
    ...client,
    send(call) {
      const one = client.send(call)
      running.add(one)
      const end = () => running.delete(one)
      one.then(end, end)
      return one
    },
    async idle() {
      for (;;) {
        while (running.size > 0) await Promise.allSettled(running)
        // What continues with the result of a call makes the next one in this turn.
        await nextTurn()
        if (running.size === 0) return
      }
    },
  }
}
