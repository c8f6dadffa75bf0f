import { loadAgain } from '../browser/load-again.ts'
import { timedFetch } from './clock.ts'
import { noResponse, RequestError, unknownOutcome } from './problem.ts'

/** What requests need of the session. */
export interface Credential {
  /** Returns an access token, after a refresh or a new login if need be. */
  token(rejected?: string): Promise<string>
}

/**
 * Returns a `fetch` that adds the access token. A request that is refused with 401 is repeated once
 * with the next token: it had no effect. One that reads and gets no response is repeated once too.
 *
 * @throws RequestError without a status if there is no response
 */
export function authorizedFetch(credential: Credential, send: typeof fetch = timedFetch) {
  const reach = (request: Request) => reached(request, send)
  return async (request: Request): Promise<Response> => {
    const again = request.clone()
    const token = await credential.token()
    const response = await reach(signed(request, token))
    if (response.status !== 401) return response
    await response.body?.cancel()
    return reach(signed(again, await credential.token(token)))
  }
}

function signed(request: Request, token: string): Request {
  request.headers.set('Authorization', `Bearer ${token}`)
  return request
}

async function reached(request: Request, send: typeof fetch): Promise<Response> {
  const isRead = request.method === 'GET'
  try {
    return await (isRead ? loadAgain(() => send(request), request.signal) : send(request))
  } catch (error) {
    if (request.signal.aborted) throw error
    throw new RequestError(isRead ? noResponse() : unknownOutcome())
  }
}
