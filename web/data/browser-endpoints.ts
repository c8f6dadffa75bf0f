import type { components, operations } from './api.types.ts'
import { timedFetch } from './clock.ts'
import { asProblem, noResponse, problemOf, RequestError } from './problem.ts'
import type { Refreshed } from './tokens.ts'

export const base = '/api/v1'

export type Login = components['schemas']['BrowserLogin']
export type Credentials = components['schemas']['LoginBody']
export type PasskeyLogin = components['schemas']['PasskeyLoginBody']
export type Exchange = components['schemas']['BrowserExchangeBody']
type Tokens = operations['auth.browser.refresh']['responses'][200]['content']['application/json']

/**
 * Milliseconds that a request of the session may take. A late response must not replace a newer
 * cookie.
 */
const requestTimeout = 9000

/** Sends the requests of the session, the only ones that the browser adds the cookie to. */
export async function post<T>(path: string, body: object, key?: string | null): Promise<T> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Requested-With': 'container-stacks',
    ...(key && { 'X-Browser-Key': key }),
  }
  const signal = AbortSignal.timeout(requestTimeout)
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal }
  const { response, text } = await sent(`${base}${path}`, request)
  const json = parsed(text)
  if (!response.ok) throw new RequestError(problemOf(response, json))
  return json as T
}

async function sent(address: string, request: RequestInit) {
  try {
    const response = await timedFetch(address, request)
    return { response, text: await response.text() }
  } catch {
    throw new RequestError(noResponse())
  }
}

/** Returns the body of a response. That of a proxy without its service is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const postLogin = (body: Credentials) => post<Login>('/auth/browser/login', body)
export const postPasskey = (body: PasskeyLogin) => post<Login>('/auth/browser/passkey', body)
export const postExchange = (body: Exchange) => post<Login>('/auth/browser/exchange', body)
export const postLogout = (key: string) => post<undefined>('/auth/browser/logout', {}, key)

/**
 * Refreshes the session. Returns `ended` without its key.
 *
 * @param idleSeconds how long ago a person last used a page; undefined if that is not known
 */
export async function postRefresh(key: string | null, idleSeconds?: number): Promise<Refreshed> {
  if (key === null) return { outcome: 'ended' }
  try {
    const tokens = await post<Tokens>('/auth/browser/refresh', { idle_seconds: idleSeconds }, key)
    return { outcome: 'token', value: tokens.access_token, expiresIn: tokens.expires_in }
  } catch (error) {
    return asProblem(error).status === 401 ? { outcome: 'ended' } : { outcome: 'failed', error }
  }
}
