import { backoff } from './backoff.ts'
import { type Answer, ServiceError } from './service-error.ts'

/**
 * Returns the response to a request, also an error. Sends it again if the connection was lost, and
 * while something is busy or away, until the signal aborts. An operation that ran and failed is not
 * started again. `send` gets headers with an `Idempotency-Key`: a POST that has them runs once.
 *
 * ```ts
 * const signal = AbortSignal.timeout(60_000)
 * await unwrap(repeat((headers) => api.POST('/stacks', { body, headers, signal }), { signal }))
 * ```
 *
 * @throws the reason of the signal, and what `send` throws except for a lost connection
 */
export async function repeat<A extends Answer<unknown>>(
  send: (headers: { 'Idempotency-Key': string }) => Promise<A>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<A> {
  const headers = { 'Idempotency-Key': newKey() }
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted()
    const answer = await sent(send(headers))
    if (answer && !isPassing(answer)) return answer
    await backoff(attempt, signal, retryAfter(answer))
  }
}

/** Pages without TLS have no `crypto.randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** Returns the response, or undefined if there was none or it was cut off. */
async function sent<A>(request: Promise<A>): Promise<A | undefined> {
  try {
    return await request
  } catch (error) {
    if (isLost(error)) return undefined
    throw error
  }
}

const isLost = (error: unknown): boolean => error instanceof ServiceError && error.status === 0

/** What passes without a change of the request or of anything else. */
const passing = ['engine-busy', 'lease-held', 'overloaded', 'store-unavailable', 'timeout']

const isPassing = ({ response: { status, headers } }: Answer<unknown>): boolean =>
  [502, 503, 504].includes(status) ||
  (passing.includes(headers.get('x-error-reason') ?? '') && !headers.has('x-operation-id'))

/** Milliseconds for which the service asks not to send the request again. */
const retryAfter = (answer: Answer<unknown> | undefined): number =>
  (Number(answer?.response.headers.get('retry-after')) || 0) * 1000
