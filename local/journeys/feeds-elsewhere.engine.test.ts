import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { api, startIn } from '../harness/service.ts'
import { type Journey, startJourney } from './harness/journey.ts'

let journey: Journey
let feeds: string
beforeAll(async () => {
  const port = String(await freePort())
  feeds = `127.0.0.1:${port}`
  const env = { SERVICE_ROLE: 'api', SERVICE_FEEDS_URL: `http://${feeds}` }
  journey = await startJourney(env)
  const { place } = journey
  const sidecar = { ...place.env, SERVICE_ROLE: 'sidecar', SERVICE_PORT: port }
  await startIn({ ...place, env: sidecar })
})
afterAll(() => journey?.close())

test('a page follows events at the address that SERVICE_FEEDS_URL names', async () => {
  await using opened = await journey.openSignedIn('/stacks')
  const { page } = opened
  const [socket] = await Promise.all([page.waitForEvent('websocket'), page.reload()])
  expect(socket.url()).toContain(`ws://${feeds}/api/v1/ws/events?`)
  const told = socket.waitForEvent('framereceived', {
    predicate: ({ payload }) => String(payload).includes('"stack.create"'),
  })
  const compose = 'services: {app: {image: busybox}}'
  const { token, running } = journey
  const made = await api(running, 'POST', '/stacks', { token, body: { name: 'shop', compose } })
  expect(made.status).toBe(201)
  await told
  await page.getByRole('link', { name: 'shop' }).first().waitFor()
})
