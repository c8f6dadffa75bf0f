import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { api, newPlace, type Place, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { openInFirefox, startFirefox } from './harness/firefox.ts'

const name = 'journey-firefox'
const compose = `services:
  clock:
    image: busybox:latest
    stop_grace_period: 0s
    command: ['sh', '-c', 'n=0; while sleep 0.2; do n=$$((n + 1)); echo "tick $$n"; done']
`
let place: Place
let running: Running
let token: string
let browser: Browser

const call = (method: string, path: string, body?: unknown) =>
  api(running, method, path, { token, body })

beforeAll(async () => {
  place = newPlace()
  // Firefox takes seconds to start.
  const starting = startFirefox()
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await call('POST', '/stacks', { name, compose })
  const { json } = await call('POST', `/stacks/${name}/deploy`, {})
  browser = await starting
  expect(json.status, JSON.stringify(json)).toBe('succeeded')
})
afterAll(async () => {
  await Promise.all([browser?.close(), removeStack()])
  await place.remove()
})

async function removeStack(): Promise<void> {
  await call('DELETE', `/stacks/${name}`)
  const left = docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
  if (left) docker('rm', '-f', ...left.split('\n').filter(Boolean))
}

/** Finds an element by its role and its name, as assistive technology does. */
const called = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([role="${role}"][name="${name}"])`)

test('a user of Firefox signs in, follows the log of a stack and signs out', async () => {
  const { page, problems } = await openInFirefox(browser, `${running.url}/stacks`)
  await page.locator('input[autocomplete="username"]').fill('admin')
  await page.locator('input[type="password"]').fill(place.password)
  await called(page, 'button', 'Sign in').click()

  await called(page, 'link', name).click()
  await called(page, 'heading', name).wait()
  await page.locator(`a[href="/stacks/${name}/logs"]`).click()
  const newest = () =>
    page.$$eval('[role="log"] .log-text', (rows) =>
      Math.max(...rows.map((row) => Number(row.textContent?.match(/^tick (\d+)$/)?.[1] ?? 0))),
    )
  await expect.poll(newest).toBeGreaterThan(0)
  const before = await newest()
  await expect.poll(newest).toBeGreaterThan(before)
  expect(problems.join('\n')).toBe('')

  await page.evaluate(`void (new Image().src = 'http://127.0.0.2:9/a.png')`)
  await expect.poll(() => problems.join()).toContain('violation of img-src')

  await called(page, 'button', 'Your account').click()
  await called(page, 'menuitem', 'Sign out').click()
  await page.locator('input[type="password"]').wait()
  // Firefox tells of one violation in several ways, some of them later.
  expect(problems.filter((problem) => !problem.includes('img-src')).join('\n')).toBe('')
})
