import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Journey, startJourney } from './harness/journey.ts'

/** A container on the machine that publishes a port: it serves a page and keeps what it is sent. */
function container() {
  const received: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    received.push(request.headers)
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>container</title>')
  })
  return { server, received, port: () => (server.address() as AddressInfo).port }
}

let journey: Journey
const foreign = container()
beforeAll(async () => {
  journey = await startJourney()
  await new Promise<void>((resolve) => foreign.server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  foreign.server.close()
  await journey?.close()
})

/** Runs in the page of the service, or in that of the container. */
const post = `async (path, { headers = {}, body = {}, mode = 'cors' } = {}) => {
  const request = { method: 'POST', credentials: 'include', mode, headers, body: JSON.stringify(body) }
  try {
    const response = await fetch(path, request)
    const text = await response.text()
    return { status: response.status, json: text ? JSON.parse(text) : undefined }
  } catch (error) {
    return { status: -1, error: String(error) }
  }
}`

const own = { 'Content-Type': 'application/json', 'X-Requested-With': 'container-stacks' }

test.each(['nas', '127.0.0.1'])(
  'a container on http://%s is sent the cookie, and it is worth nothing',
  async (name) => {
    const service = `http://${name}:${journey.port}`
    const stranger = `http://${name}:${foreign.port()}`
    const context = await journey.browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto(`${service}/`)
      const ask = (path: string, more: object = {}) =>
        page.evaluate(`(${post})(${JSON.stringify(path)}, ${JSON.stringify(more)})`) as Promise<{
          status: number
          json: { browser_key: string; access_token: string }
        }>
      const body = { username: 'admin', password: journey.place.password }
      const login = await ask('/api/v1/auth/browser/login', { headers: own, body })
      expect(login.status).toBe(200)
      const key = login.json.browser_key

      foreign.received.length = 0
      const other = await context.newPage()
      await other.goto(`${stranger}/api/v1/auth/browser/anything`)
      const cookie = foreign.received.map((headers) => headers.cookie).find(Boolean) ?? ''
      expect(cookie).toMatch(new RegExp(`^cs_${journey.port}_[0-9a-f]{8}=csb_`))
      expect(JSON.stringify(foreign.received)).not.toContain(key)

      // The container replays the cookie itself, with any header that it likes.
      const replay = async (
        path: string,
        headers: Record<string, string> = {},
        sent: object = {},
      ) => {
        const all = { ...own, Origin: service, Cookie: cookie, ...headers }
        const request = { method: 'POST', headers: all, body: JSON.stringify(sent) }
        return (await fetch(`${journey.running.url}/api/v1${path}`, request)).status
      }
      const token = cookie.split('=')[1] ?? ''
      const guess = `csk_${'A'.repeat(43)}`
      for (const path of ['/auth/browser/refresh', '/auth/browser/logout']) {
        expect(await replay(path), path).toBe(401)
        expect(await replay(path, { 'X-Browser-Key': guess }), path).toBe(401)
        expect(await replay(path, { 'X-Browser-Key': token }), path).toBe(401)
      }
      expect(await replay('/auth/refresh', {}, { refresh_token: token })).toBe(401)
      expect(await replay('/auth/logout', {}, { refresh_token: token })).toBe(204)
      expect(await replay('/ws/ticket')).toBe(401)
      expect(await replay('/ws/ticket', { Authorization: `Bearer ${token}` })).toBe(401)

      // Its page makes the user's browser send the requests.
      const attack = (path: string, more: object = {}) =>
        other.evaluate(
          `(${post})(${JSON.stringify(`${service}${path}`)}, ${JSON.stringify(more)})`,
        ) as Promise<{ status: number }>
      for (const path of ['/api/v1/auth/browser/refresh', '/api/v1/auth/browser/logout']) {
        expect(await attack(path, { headers: own })).toMatchObject({ status: -1 })
        const plain = { 'Content-Type': 'text/plain' }
        expect((await attack(path, { mode: 'no-cors', headers: plain })).status).toBeLessThan(1)
      }
      expect(await other.evaluate('localStorage.length')).toBe(0)

      // All of that changed nothing.
      const headers = { ...own, 'X-Browser-Key': key }
      const refreshed = await ask('/api/v1/auth/browser/refresh', { headers })
      expect(refreshed.status).toBe(200)
      const authorization = { Authorization: `Bearer ${login.json.access_token}` }
      const me = await fetch(`${journey.running.url}/api/v1/me`, { headers: authorization })
      expect(me.status).toBe(200)
    } finally {
      await context.close()
    }
  },
)
