import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** How a call of a function ended: with a response as JSON, or with an error. */
export type Ended = { response: string } | { error: string }

/** Bytes that Lambda accepts as an event and as a response. */
export const payloadMax = 6 * 1024 ** 2

interface Call {
  id: string
  event: string
  deadline: number
  end(ended: Ended): void
}

/** The Runtime API of Lambda for one process of a function. It serves one call at a time. */
export interface RuntimeApi {
  /** `host:port`, as in `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string
  /**
   * Resolves when the process waits for its next call. Rejects with the error of its start, which
   * the process reports.
   */
  waiting(): Promise<void>
  /** Sends an event. `deadline` is in milliseconds since the epoch. */
  call(event: string, deadline: number): Promise<Ended>
  close(): void
}

const base = '/2018-06-01/runtime'

/** Starts a Runtime API on a free port. */
export async function startRuntimeApi(): Promise<RuntimeApi> {
  const idle = new Turn<ServerResponse>()
  let current: Call | undefined
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url?.slice(base.length) ?? ''
    if (path === '/invocation/next') return idle.give(response)
    const body = await buffer(incoming)
    response.writeHead(202).end('{"status":"OK"}')
    if (path === '/init/error') return idle.fail(new Error(body.toString()))
    if (path === `/invocation/${current?.id}/response`) return current?.end(checked(body))
    if (path === `/invocation/${current?.id}/error`) current?.end({ error: body.toString() })
  }
  const server = createServer((incoming, response) => {
    // The function was killed while it sent a request.
    answer(incoming, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: async () => void (await idle.peek()),
    async call(event, deadline) {
      if (Buffer.byteLength(event) > payloadMax) return { error: 'RequestTooLarge' }
      const response = await idle.take()
      const id = randomUUID()
      return new Promise((end) => {
        current = { id, event, deadline, end }
        response
          .writeHead(200, {
            'content-type': 'application/json',
            'lambda-runtime-aws-request-id': id,
            'lambda-runtime-deadline-ms': String(deadline),
          })
          .end(event)
      })
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const checked = (body: Buffer): Ended =>
  body.length > payloadMax ? { error: 'ResponseSizeTooLarge' } : { response: body.toString() }

/** A value that one side gives and the other takes, or the error instead of the next value. */
class Turn<T> {
  #value: Promise<T>
  #resolve: (value: T) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor() {
    this.#value = this.#next()
  }

  give(value: T): void {
    this.#resolve(value)
  }

  fail(error: Error): void {
    this.#reject(error)
  }

  peek(): Promise<T> {
    return this.#value
  }

  async take(): Promise<T> {
    const value = await this.#value
    this.#value = this.#next()
    return value
  }

  #next(): Promise<T> {
    const value = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    value.catch(() => {})
    return value
  }
}
