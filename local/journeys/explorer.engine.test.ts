import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Listener, listen } from '../../adapters/node/http/listen.ts'
import { filePages } from '../../adapters/node/http/pages.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryPorts, memorySetupSecret } from '../../adapters/testing/memory/stores.ts'
import { prefix, routes } from '../../serverless.ts'
import { paced } from '../harness/pace.ts'
import { startBrowser } from './harness/browser.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'
import { goTo } from './harness/watched-page.ts'

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

/** Opens the explorer, again if the browser dropped what it loads; see `goTo`. */
async function openExplorer(page: Page): Promise<void> {
  for (let tries = 1; tries <= 5; tries += 1) {
    const dropped: Request[] = []
    const note = (request: Request) => {
      if (isDropped(request.failure()?.errorText)) dropped.push(request)
    }
    page.on('requestfailed', note)
    await goTo(page, `${origin}${prefix}/docs`)
    await page.waitForLoadState('networkidle')
    page.off('requestfailed', note)
    if (dropped.length === 0) return
  }
}

const isDropped = (text = '') => text.includes('net::ERR_NETWORK_CHANGED')

test('the explorer logs in and tries a call, without requests to another origin', async () => {
  const token = await logIn()
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
  const watched = await watch(page)

  await openExplorer(page)
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
  await openExplorer(page)
  const tags = page.locator('.opblock-tag')
  await tags.first().waitFor()
  const description: Json = await (await fetch(`${origin}${prefix}/openapi.json`)).json()
  const entries = Object.values<object>(description.paths).flatMap(Object.values<Json>)
  const countOf = (name: string | null) => entries.filter(({ tags: [tag] }) => tag === name).length
  expect(await tags.count()).toBe(new Set(entries.map(({ tags: [tag] }) => tag)).size)
  const webhooks = Object.keys(description.webhooks)
  expect(await page.locator('.webhooks .opblock').count()).toBe(webhooks.length)
  const shown = page.locator('.opblock-tag-section .opblock')
  for (const tag of await tags.all()) {
    const count = countOf(await tag.getAttribute('data-tag'))
    expect(count).toBeGreaterThan(0)
    await seenClick(tag)
    await expect.poll(() => shown.count(), patient).toBe(count)
    await seenClick(tag)
    await expect.poll(() => shown.count(), patient).toBe(0)
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
    if (message.type() !== 'error' || isDropped(message.text())) return
    watched.errors.push(message.text())
  })
  await page.addInitScript(`
    window.violations = []
    document.addEventListener('securitypolicyviolation', (event) => {
      window.violations.push(event.violatedDirective + ' ' + event.blockedURI)
    })`)
  return watched
}

async function authorise(page: Page, token: string) {
  await seenClick(page.locator('.auth-wrapper > .authorize'))
  await seenFill(page.locator('#auth-bearer-value'), token)
  const form = page.locator('form', { hasText: 'bearer (http' })
  await seenClick(form.locator('.authorize'))
  await seenClick(form.locator('.btn-done'))
}

async function tryOut(page: Page, tag: string, path: string) {
  await seenClick(page.locator(`.opblock-tag[data-tag="${tag}"]`))
  const entry = page.locator('.opblock-get', { has: page.locator(`[data-path="${path}"]`) })
  await seenClick(entry.locator('.opblock-summary-control'))
  await seenClick(entry.locator('.execute'))
  const answer = entry.locator('.live-responses-table .response')
  await answer.scrollIntoViewIfNeeded()
  return {
    status: (await answer.locator('.response-col_status').textContent())?.trim(),
    body: await answer.locator('.highlight-code code, .highlight-code pre').first().textContent(),
  }
}
