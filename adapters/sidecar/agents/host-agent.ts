import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Returns an HTTP agent whose connections are opened by `open`; Docker's HTTP/1.1 runs inside them
 * unchanged. Idle connections are reused, unless the connection to their host ended.
 */
export function hostAgent(open: () => Promise<Socket>): Agent {
  return new OpeningAgent(open)
}

type Done = (error: Error | null, socket: Duplex) => void

class OpeningAgent extends Agent {
  readonly #open: () => Promise<Socket>

  constructor(open: () => Promise<Socket>) {
    super({ keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' })
    this.#open = open
  }

  override createConnection(_options: object, done?: Done): undefined {
    this.#open().then(
      (socket) => done?.(null, socket),
      (error) => done?.(error, undefined as never),
    )
    return undefined
  }
}
