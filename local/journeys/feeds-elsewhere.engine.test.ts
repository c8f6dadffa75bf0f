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
  let address: string | undefined
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"stack.create"')) address = socket.url()
    })
  })
  await page.reload()
  const { token, running } = journey
  // A page that has not opened its feed yet misses a stack.
  for (let number = 1; address === undefined; number += 1) {
    const body = { name: `shop-${number}`, compose: 'services: {app: {image: busybox}}' }
    expect((await api(running, 'POST', '/stacks', { token, body })).status).toBe(201)
    await page.waitForTimeout(500)
  }
  expect(address).toContain(`ws://${feeds}/api/v1/ws/events?`)
  await page.getByRole('link', { name: 'shop-1', exact: true }).first().waitFor()
})
