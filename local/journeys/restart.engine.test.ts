import { afterAll, beforeAll, expect, test } from 'vitest'
import { paced } from '../harness/pace.ts'
import { api, startIn } from '../harness/service.ts'
import { axeViolations } from './harness/axe.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'

let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey?.close())

const create = ({ url }: { url: string }, name: string) =>
  api({ url }, 'POST', '/stacks', {
    token: journey.token,
    body: { name, compose: 'services: {web: {image: busybox}}' },
  })

test('an open page shows that the service is down, and recovers when it is back', async () => {
  const { place, running, port } = journey
  expect((await create(running, 'before')).status).toBe(201)
  await using opened = await journey.openSignedIn('/', { expected: /./ })
  const { page } = opened
  const before = page.getByRole('link', { name: 'before', exact: true })
  await before.waitFor()
  running.child.kill('SIGKILL')
  await running.ended
  const bar = page.getByText(/Showing \d\d:\d\d:\d\d/)
  await bar.waitFor()
  await screenshot(page, 'restart-away')
  expect(await axeViolations(page)).toEqual([])
  await before.waitFor()

  const back = await startIn({ ...place, env: { ...place.env, SERVICE_PORT: port } })
  await bar.waitFor({ state: 'detached', timeout: paced(60_000) })
  const made = await create(back, 'after')
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  // The event of the new stack arrives on the new connection.
  await page.getByRole('link', { name: 'after', exact: true }).waitFor()
  expect(opened.problems.filter((one) => /uncaught|Content Security/.test(one))).toEqual([])
})
