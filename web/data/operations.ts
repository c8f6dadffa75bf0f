import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { RequestError } from './problem.ts'

type Operation = components['schemas']['Operation']

/** Seconds. Proxies cut requests that take a minute. */
const longestWait = 50

/**
 * Waits until an operation has ended. Returns what its request would have returned.
 *
 * @throws RequestError with the reason why it failed
 */
export async function resultOf({ id }: Pick<Operation, 'id'>): Promise<Operation['result']> {
  for (;;) {
    const params = { path: { id }, query: { wait_seconds: longestWait } }
    const { status, error, reason, result } = await unwrap(api.GET('/operations/{id}', { params }))
    if (status === 'succeeded') return result
    if (status !== 'running') {
      throw new RequestError({ status: 500, error: error ?? status, ...(reason && { reason }) })
    }
  }
}
