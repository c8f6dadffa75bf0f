import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { paced } from '../harness/pace.ts'
import { api, startIn } from '../harness/service.ts'
import { axeViolations } from './harness/axe.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenClick } from './harness/seen-click.ts'

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
  const bar = page.getByText(/Showing \d\d:\d\d:\d\d/)
  // A browser that goes offline keeps its connections, and nothing arrives on them.
  await page.context().setOffline(true)
  await page.getByText('Offline').first().waitFor()
  await page.context().setOffline(false)
  await bar.waitFor({ state: 'detached' })

  running.child.kill('SIGKILL')
  await running.ended
  await bar.waitFor()
  const icon = () => page.locator('link[rel="icon"]').getAttribute('href')
  await expect.poll(icon).toContain('/icon-trouble-')
  await screenshot(page, 'restart-away')
  expect(await axeViolations(page)).toEqual([])
  await before.waitFor()

  const back = await startIn({ ...place, env: { ...place.env, SERVICE_PORT: port } })
  journey.running = back
  await bar.waitFor({ state: 'detached', timeout: paced(60_000) })
  await expect.poll(icon).toMatch(/\/icon-[A-Z0-9]+\.svg$/)
  const made = await create(back, 'after')
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  // The event of the new stack arrives on the new connection.
  await page.getByRole('link', { name: 'after', exact: true }).waitFor()
  expect(opened.problems.filter((one) => /uncaught|Content Security/.test(one))).toEqual([])
})

test('a page that follows a deploy shows its true end after a restart of the service', async () => {
  const { place, running, port, token } = journey
  const name = 'journey-restart'
  const service = 'image: busybox:latest, command: sleep 600, stop_grace_period: 0s'
  const healthy = 'healthcheck: {test: [CMD, test, -f, /go], interval: 1s, retries: 300}'
  const compose = `services:
  gate: {${service}, ${healthy}}
  web: {${service}, depends_on: {gate: {condition: service_healthy}}}
`
  await api(running, 'POST', '/stacks', { token, body: { name, compose } })
  await using opened = await journey.openSignedIn(`/stacks/${name}/deploy`, { expected: /./ })
  const { page } = opened
  await seenClick(page.locator('.deploy-form').getByRole('button', { name: `Deploy ${name}` }))
  await page.locator('.step').getByText('Wait for', { exact: true }).waitFor()
  running.child.kill('SIGKILL')
  await running.ended
  const line = page.locator('.deployment-line')
  await line.getByText('Not connected: it may have gone on').waitFor()
  await screenshot(page, 'restart-deploy')

  journey.running = await startIn({ ...place, env: { ...place.env, SERVICE_PORT: port } })
  try {
    docker('exec', `${name}-gate-1`, 'touch', '/go')
    await line.getByText(/^(Deployed in|Interrupted)/).waitFor({ timeout: paced(60_000) })
    const { json } = await api(journey.running, 'GET', `/stacks/${name}`, { token })
    const words = { succeeded: /^Deployed in/, interrupted: /^Interrupted/ }
    expect(await line.innerText()).toMatch(words[json.last_deployment.status as keyof typeof words])
  } finally {
    await api(journey.running, 'DELETE', `/stacks/${name}`, { token })
  }
})
