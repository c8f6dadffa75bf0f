import type { components } from './api.types.ts'
import { base } from './browser-endpoints.ts'
import { timedFetch } from './clock.ts'
import { noResponse, problemOf, RequestError } from './problem.ts'
import { tokens } from './session-tokens.ts'

export type Me = components['schemas']['Me']

/**
 * Returns the signed-in account.
 *
 * @throws RequestError 401 if the session has ended
 */
export async function fetchMe(): Promise<Me> {
  let rejected: string | undefined
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const outcome = await tokens.renew(rejected)
    if (outcome === 'ended') throw ended()
    const token = tokens.current()
    if (outcome === 'failed') throw new RequestError(noResponse())
    // It may have expired or been taken away in between, such as by a logout.
    if (token === undefined) continue
    const response = await timedFetch(`${base}/me`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const body: unknown = await response.json()
    if (response.ok) return body as Me
    if (response.status !== 401) throw new RequestError(problemOf(response, body))
    // Another tab may have passed on a token of a session that has ended.
    rejected = token
  }
  throw ended()
}

const ended = () => new RequestError({ status: 401, error: 'The session has ended' })
