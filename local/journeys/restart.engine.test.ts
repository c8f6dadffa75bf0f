import { afterAll, beforeAll, expect, test } from 'vitest'
import { paced } from '../harness/pace.ts'
import { startIn } from '../harness/service.ts'
import { axeViolations } from './harness/axe.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'

let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey?.close())

test('an open page shows that the service is down, and recovers when it is back', async () => {
  await using opened = await journey.openSignedIn('/', { expected: /./ })
  const { page } = opened
  const { place, running, port } = journey
  await page.getByText('No stacks yet').waitFor()
  running.child.kill('SIGKILL')
  await running.ended
  const bar = page.getByText(/Showing \d\d:\d\d:\d\d/)
  await bar.waitFor()
  await screenshot(page, 'restart-away')
  expect(await axeViolations(page)).toEqual([])
  await page.getByText('No stacks yet').waitFor()

  const back = await startIn({ ...place, env: { ...place.env, SERVICE_PORT: port } })
  await bar.waitFor({ state: 'detached', timeout: paced(60_000) })
  const made = await fetch(`${back.url}/api/v1/stacks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${journey.token}` },
    body: JSON.stringify({ name: 'shop', compose: 'services: {web: {image: busybox}}' }),
  })
  expect(made.status, await made.text()).toBe(201)
  // The event of the new stack arrives on the new connection.
  await page.getByRole('link', { name: 'shop' }).waitFor()
  expect(opened.problems.filter((one) => /uncaught|Content Security/.test(one))).toEqual([])
})
