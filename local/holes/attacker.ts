import { afterAll, beforeAll } from 'vitest'
import { exchange, type RawAnswer } from '../../adapters/testing/raw-http.ts'
import { api, newPlace, type Place, type Running, setUpAdmin, startIn } from '../harness/service.ts'

const password = 'correct horse battery'

/**
 * A service with an admin, an operator and a viewer, and the requests that an attacker sends to it.
 */
export interface Target {
  place: Place
  running: Running
  tokens: { admin: string; operator: string; viewer: string }
  port: number
  /** Sends a request byte for byte. */
  raw(text: string | Buffer): Promise<RawAnswer>
  call(
    method: string,
    path: string,
    given?: { body?: unknown; token?: string },
  ): ReturnType<typeof api>
}

/** Starts the target before the tests of a file and stops it after them. */
export function startTarget(): Target {
  const target = {} as Target
  beforeAll(async () => {
    const place = newPlace()
    const running = await startIn(place)
    const admin = await setUpAdmin(place, running)
    const call: Target['call'] = (method, path, given) => api(running, method, path, given)
    const tokens = { admin, operator: '', viewer: '' }
    for (const role of ['operator', 'viewer'] as const) {
      const body = { username: role, password, role }
      await call('POST', '/users', { body, token: admin })
      tokens[role] = (
        await call('POST', '/auth/login', { body: { username: role, password } })
      ).json.access_token
    }
    const port = Number(new URL(running.url).port)
    const raw: Target['raw'] = (text) => exchange(port, text)
    Object.assign(target, { place, running, tokens, port, raw, call })
  }, 60_000)
  afterAll(() => target.place.remove())
  return target
}

/** The password of the operator and the viewer. */
export const ownPassword = password

/** Returns a WebSocket upgrade request as text. */
export const upgrade = (target: string, headers: Record<string, string> = {}) => {
  const all = {
    Host: '127.0.0.1',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
}
