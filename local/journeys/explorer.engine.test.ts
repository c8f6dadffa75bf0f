import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Listener, listen } from '../../adapters/node/http/listen.ts'
import { filePages } from '../../adapters/node/http/pages.ts'
import { memoryPorts, memorySetupSecret } from '../../adapters/testing/memory/stores.ts'
import { prefix, routes } from '../../serverless.ts'
import type { Json } from '../harness/json.ts'
import { paced } from '../harness/pace.ts'
import { startBrowser } from './harness/browser.ts'

const account = { username: 'ada', password: 'correct horse battery staple' }

/** Rendering takes a browser some time. */
const patient = { timeout: paced(10_000), interval: 20 }

let listener: Listener
let browser: Browser
let origin: string

beforeAll(async () => {
  const ports = { ...memoryPorts(), pages: filePages() }
  listener = await listen({ routes, prefix, ports, log: ports.log, port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${listener.port}`
  browser = await startBrowser()
})

afterAll(async () => {
  await browser?.close()
  await listener?.close()
})

test('the explorer logs in and tries a call, without requests to another origin', async () => {
  const token = await logIn()
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
  const watched = await watch(page)

  await page.goto(`${origin}${prefix}/docs`)
  await authorise(page, token)
  const { status, body } = await tryOut(page, 'me', '/me')
  await page.screenshot({ path: join(tmpdir(), 'container-stacks-explorer.png') })

  expect(status).toBe('200')
  expect(JSON.parse(body ?? '')).toMatchObject({
    username: 'ada',
    role: 'admin',
    credential: 'session',
  })
  expect(await page.evaluate('window.violations')).toEqual([])
  expect(watched.errors).toEqual([])
  expect(watched.requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
})

test('the explorer shows every operation of the description', async () => {
  const page = await browser.newPage()
  await page.goto(`${origin}${prefix}/docs`)
  const tags = page.locator('.opblock-tag')
  await tags.first().waitFor()
  const description: Json = await (await fetch(`${origin}${prefix}/openapi.json`)).json()
  const entries = Object.values<object>(description.paths).flatMap(Object.values<Json>)
  const countOf = (name: string | null) => entries.filter(({ tags: [tag] }) => tag === name).length
  expect(await tags.count()).toBe(new Set(entries.map(({ tags: [tag] }) => tag)).size)
  for (const tag of await tags.all()) {
    const count = countOf(await tag.getAttribute('data-tag'))
    expect(count).toBeGreaterThan(0)
    await tag.click()
    await expect.poll(() => page.locator('.opblock').count(), patient).toBe(count)
    await tag.click()
    await expect.poll(() => page.locator('.opblock').count(), patient).toBe(0)
  }
})

async function logIn(): Promise<string> {
  await post('/setup', { secret: memorySetupSecret, ...account })
  return (await post('/auth/login', account)).access_token
}

async function post(path: string, body: object): Promise<Json> {
  const response = await fetch(`${origin}${prefix}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok, `${path} ${response.status}`).toBe(true)
  return response.json()
}

/** Records the requests and errors of a page. */
async function watch(page: Page) {
  const watched = { requests: [] as string[], errors: [] as string[] }
  page.on('request', (request) => watched.requests.push(request.url()))
  page.on('pageerror', (error) => watched.errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(message.text())
  })
  await page.addInitScript(`
    window.violations = []
    document.addEventListener('securitypolicyviolation', (event) => {
      window.violations.push(event.violatedDirective + ' ' + event.blockedURI)
    })`)
  return watched
}

async function authorise(page: Page, token: string) {
  await page.locator('.auth-wrapper > .authorize').click()
  await page.locator('#auth-bearer-value').fill(token)
  const form = page.locator('form', { hasText: 'bearer (http' })
  await form.locator('.authorize').click()
  await form.locator('.btn-done').click()
}

async function tryOut(page: Page, tag: string, path: string) {
  await page.locator(`.opblock-tag[data-tag="${tag}"]`).click()
  const entry = page.locator('.opblock-get', { has: page.locator(`[data-path="${path}"]`) })
  await entry.locator('.opblock-summary-control').click()
  await entry.locator('.execute').click()
  const answer = entry.locator('.live-responses-table .response')
  await answer.scrollIntoViewIfNeeded()
  return {
    status: (await answer.locator('.response-col_status').textContent())?.trim(),
    body: await answer.locator('.highlight-code code, .highlight-code pre').first().textContent(),
  }
}
