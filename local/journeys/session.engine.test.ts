import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { api, newPlace, startIn, until } from '../harness/service.ts'
import { startBrowser } from './harness/browser.ts'
import { untilFocused } from './harness/by-keyboard.ts'
import { signIn } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'
import { openPage } from './harness/watched-page.ts'

const frame = (page: Page) => page.locator('#content h1')
const login = (page: Page) => page.getByRole('heading', { name: 'Sign in' })

/** Collects the statuses of the refreshes of a browser from now on. */
function refreshesOf(context: BrowserContext): number[] {
  const statuses: number[] = []
  context.on('response', (response) => {
    if (response.url().endsWith('/auth/browser/refresh')) statuses.push(response.status())
  })
  return statuses
}

/** Requests that fail while the service is away, and those that an ended session refuses. */
const expected = /Failed to load resource|WebSocket connection|ERR_CONNECTION/

test.each(['127.0.0.1', 'nas'])(
  'from the first start to the last tab, at http://%s',
  async (name) => {
    const place = newPlace()
    const browser = await startBrowser()
    try {
      const running = await startIn(place)
      const { port } = new URL(running.url)
      const home = `http://${name}:${port}/account`
      await using opened = await openPage(browser, home, { expected })
      const { page, context } = opened

      await seenFill(page.getByLabel('Set-up secret'), place.env.SERVICE_SETUP_SECRET ?? '')
      await seenFill(page.getByLabel('User name'), 'x'.repeat(65))
      await seenFill(page.getByLabel('Password'), place.password)
      await seenClick(page.getByRole('button', { name: 'Create administrator' }))
      await page.locator('.field', { hasText: 'User name' }).getByText('must have 1 to').waitFor()
      expect(await page.locator('[aria-invalid]').count()).toBe(1)
      await untilFocused(page, 'User name')
      await seenFill(page.getByLabel('User name'), 'admin')
      await seenClick(page.getByRole('button', { name: 'Create administrator' }))
      await frame(page).waitFor()
      expect(await page.evaluate('Object.keys(localStorage).join()')).not.toContain('token')

      const all = refreshesOf(context)
      await page.reload()
      await frame(page).waitFor()
      const tabs = [page, await context.newPage(), await context.newPage()]
      await Promise.all(tabs.map((tab) => tab.goto(home)))
      await Promise.all(tabs.map((tab) => frame(tab).waitFor()))
      const refreshes = refreshesOf(context)
      await Promise.all(tabs.map((tab) => tab.reload()))
      await Promise.all(tabs.map((tab) => frame(tab).waitFor()))
      // Tabs share a refresh if they start soon enough after it: `web/data/tokens.test.ts`. So the
      // three may need none, but the page that was reloaded alone did.
      expect(refreshes.length).toBeLessThanOrEqual(tabs.length)
      expect(all.length).toBeGreaterThan(refreshes.length)
      expect(new Set(all)).toEqual(new Set([200]))

      // The service restarts under the open pages.
      running.child.kill('SIGTERM')
      await running.ended
      const bar = page.getByText(/^(Reconnecting|Offline)\b/).first()
      await bar.waitFor()
      // Heads of lists stay below it.
      const top = await page.evaluate('getComputedStyle(document.querySelector(".table th")).top')
      expect(top).toBe('28px')
      place.env.SERVICE_PORT = port
      const again = await startIn(place)
      await bar.waitFor({ state: 'hidden' })

      // The session is ended elsewhere: what was typed stays under the login.
      const body = { username: 'admin', password: place.password }
      const token = (await api(again, 'POST', '/auth/login', { body })).json.access_token
      const typed = page.getByLabel('Name', { exact: true })
      await seenFill(typed, 'a name that was typed')
      const sessions = (await api(again, 'GET', '/me/sessions', { token })).json
      for (const { id, current } of sessions) {
        if (!current) await api(again, 'DELETE', `/me/sessions/${id}`, { token })
      }
      const dialog = page.getByRole('dialog')
      await seenFill(dialog.getByLabel('Password'), place.password)
      await screenshot(page, `session-ended-${name}`)
      await seenClick(dialog.getByRole('button', { name: 'Sign in' }))
      await dialog.waitFor({ state: 'detached' })
      expect(await typed.inputValue()).toBe('a name that was typed')
      await screenshot(page, `account-${name}`)

      // One login is one in all tabs, and so is one logout.
      for (const tab of tabs) await tab.getByRole('dialog').waitFor({ state: 'detached' })
      await seenClick(page.getByRole('button', { name: 'Your account' }).first())
      await seenClick(page.getByRole('menuitem', { name: 'Sign out' }))
      for (const tab of tabs) await login(tab).waitFor()
      const left = async () => (await api(again, 'GET', '/me/sessions', { token })).json
      await until(left, (list) => list.length === 1, 60)
      await page.reload()
      await login(page).waitFor()
      await signIn(page, { username: 'admin', password: place.password })
    } finally {
      await browser.close()
      await place.remove()
    }
  },
  120_000,
)
