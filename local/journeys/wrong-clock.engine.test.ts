import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { api, until } from '../harness/service.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { seenClick } from './harness/seen-click.ts'

const name = 'journey-clock'
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
`
const hour = 3_600_000
let journey: Journey

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await api(journey.running, method, path, { token: journey.token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.json)}`)
  return answer.json
}

beforeAll(async () => {
  journey = await startJourney({ SERVICE_METRICS_SAMPLE_SECONDS: '1' })
  await call('POST', '/stacks', { name, compose })
  await call('POST', `/stacks/${name}/deploy`, {})
  await call('POST', '/alert-rules', { name: 'down', metric: 'container_down' })
})
afterAll(async () => {
  if (!journey) return
  await api(journey.running, 'DELETE', `/stacks/${name}`, { token: journey.token })
  const left = docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
  if (left) docker('rm', '-f', ...left.split('\n').filter(Boolean))
  await journey.close()
})

test.each([
  ['two hours ahead', 2 * hour, undefined],
  ['two hours behind', -2 * hour, undefined],
  ['three days behind, on the other side of the date line', -72 * hour, 'Pacific/Kiritimati'],
])('a browser whose clock is %s shows and sends the time of the service', async (...row) => {
  const [, ahead, timezoneId] = row
  const options = { ahead, ...(timezoneId && { timezoneId }) }
  await call('POST', `/stacks/${name}/deploy`, { force_recreate: true })
  const deployed = Date.now()
  const container = docker('inspect', '-f', '{{.Id}}', `${name}-web-1`)
  const minutes = () => (Date.now() - deployed) / 60_000

  await using opened = await journey.openSignedIn('/stacks', options)
  const { page } = opened
  expect(await page.evaluate<number>('Date.now()')).toBeGreaterThan(Date.now() + ahead - 60_000)
  const go = (path: string) => page.goto(new URL(path, page.url()).href)

  const listed = page.getByRole('row').filter({ hasText: name })
  await expect
    .poll(() => listed.locator('time').first().textContent())
    .toMatch(/^now$|minutes? ago$/)

  await go(`/stacks/${name}`)
  const uptime = page.getByRole('table', { name: 'Services' }).locator('tbody time')
  const text = await uptime.first().textContent()
  expect(text).toMatch(/^\d+(\.\d)? (s|min)$/)
  if (text?.endsWith('min')) expect(Number.parseInt(text, 10)).toBeLessThanOrEqual(minutes())

  await go(`/stacks/${name}/events`)
  await page.getByRole('table', { name: 'Events' }).locator('time').first().waitFor()
  expect(await page.locator('time').filter({ hasText: /^in / }).count()).toBe(0)

  await until(
    () => call('GET', `/containers/${container}/metrics`),
    (samples) => samples.length > 2,
  )
  await go(`/containers/local/${container}/charts`)
  await page.locator('.chart canvas').nth(3).waitFor()

  await go('/alerts/rules')
  await seenClick(page.getByRole('button', { name: 'Actions of down' }))
  const before = Date.now()
  await seenClick(page.getByRole('menuitem', { name: 'Mute for 1 hour' }))
  await page.getByText('Muted', { exact: true }).first().waitFor()
  const [{ id, muted_until }] = await call('GET', '/alert-rules')
  const end = Date.parse(muted_until)
  expect(end).toBeGreaterThan(before + hour - 2000)
  expect(end).toBeLessThan(Date.now() + hour + 2000)
  await call('PUT', `/alert-rules/${id}`, { muted_until: null })

  await go('/audit?days=1')
  await page.getByRole('table').locator('tbody time').first().waitFor()
})
