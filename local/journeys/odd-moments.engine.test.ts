import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../harness/service.ts'
import { untilFocused } from './harness/by-keyboard.ts'
import { follow, type Journey, signIn, startJourney } from './harness/journey.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'

const compose = 'services:\n  app:\n    image: busybox:latest\n    command: sleep 3600\n'

let journey: Journey
const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })
beforeAll(async () => {
  journey = await startJourney()
  await call('POST', '/stacks', { name: 'odd', compose })
})
afterAll(() => journey?.close())

/** Presses the mouse at the edge of the window, beside a dialog. */
async function pressBeside(page: Page): Promise<void> {
  await page.mouse.move(5, 5)
  await page.mouse.down()
  await page.mouse.up()
}

test('a click beside a dialog closes it only while nothing was typed', async () => {
  await using opened = await journey.openSignedIn('/backups')
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const add = page.getByRole('button', { name: 'Add backup job' }).first()
  await seenClick(add)
  await dialog.waitFor()
  await pressBeside(page)
  await dialog.waitFor({ state: 'detached' })
  await seenClick(add)
  const name = dialog.getByLabel('Name', { exact: true })
  await seenFill(name, 'my precious job')
  await pressBeside(page)
  await expect.poll(() => name.inputValue()).toBe('my precious job')
  expect(await page.getByText('Discard what you typed?').count()).toBe(0)
})

test('Escape and Cancel ask before they discard what was typed', async () => {
  await using opened = await journey.openSignedIn('/backups')
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Name', { exact: true })
  await seenClick(page.getByRole('button', { name: 'Add backup job' }).first())
  await seenFill(name, 'my precious job')
  // Chromium closes a dialog without asking if Escape is pressed again and again.
  for (const focus of ['Keep editing', 'Name', 'Keep editing', 'Name']) {
    await page.keyboard.press('Escape')
    await untilFocused(page, focus)
  }
  await seenClick(dialog.getByRole('button', { name: 'Cancel' }))
  await seenClick(dialog.getByRole('button', { name: 'Keep editing' }))
  await expect.poll(() => name.inputValue()).toBe('my precious job')
  await seenClick(dialog.getByRole('button', { name: 'Close' }))
  await seenClick(dialog.getByRole('button', { name: 'Discard' }))
  await dialog.waitFor({ state: 'detached' })
})

test('Back closes a dialog, and one that was closed leaves no entry behind', async () => {
  await using opened = await journey.openSignedIn('/stacks')
  const { page } = opened
  await follow(page, '/backups')
  const dialog = page.getByRole('dialog')
  const add = page.getByRole('button', { name: 'Add backup job' }).first()
  await seenClick(add)
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/backups')
  await seenClick(add)
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, 'Add backup job')
  await page.goBack()
  await page.getByRole('heading', { name: 'Stacks', level: 1 }).waitFor()
})

/** Runs before the scripts of a page: a browser whose settings block the data of sites. */
const denyStorage = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, {
    get() { throw new DOMException('denied', 'SecurityError') },
  })
navigator.locks.request = () => Promise.reject(new DOMException('denied', 'SecurityError'))`

test('a browser that denies storage shows every page until it is left', async () => {
  await using opened = await journey.open('/')
  const { page } = opened
  await page.addInitScript(denyStorage)
  await page.reload()
  await signIn(page, { username: 'admin', password: journey.place.password })
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  for (const path of ['/logs', '/stacks', '/backups', '/settings']) {
    await follow(page, path)
    await page.locator('#content h1').waitFor()
  }
  await seenClick(page.getByRole('button', { name: 'Your account' }))
  await seenClick(page.getByRole('menuitem', { name: 'Theme: Light' }))
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('light')
})

test('malformed values of the storage break no page', async () => {
  await using opened = await journey.openSignedIn('/')
  const { page } = opened
  await page.evaluate(`(() => {
    const broken = { theme: 'blue', contrast: '{', language: '{', 'skip-plan': '[' }
    const more = { 'logs.look': '{broken', 'session.used': 'soon', 'session.refreshed': 'soon' }
    for (const [key, value] of Object.entries({ ...broken, ...more })) localStorage.setItem(key, value)
    sessionStorage.setItem('single-sign-on', '{broken')
  })()`)
  await page.reload()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.goto(`${journey.running.url}/stacks/odd/logs`)
  await page.getByText('No lines yet').waitFor()
  await page.goto(`${journey.running.url}/login?code=a`)
  await page.locator('#content h1').waitFor()
})

test('a new alert rule chooses the only channel, and says if there is none to tell', async () => {
  const channel = (name: string) =>
    call('POST', '/alert-channels', {
      name,
      kind: 'ntfy',
      topic: 'nas',
      server: 'http://10.255.0.9',
    })
  await using opened = await journey.openSignedIn('/alerts/rules?rule=new')
  const { page } = opened
  const dialog = page.getByRole('dialog')
  await dialog.getByText('There are no channels yet').waitFor()
  await channel('phone')
  await page.reload()
  const phone = dialog.getByLabel('phone (ntfy)')
  await expect.poll(() => phone.isChecked()).toBe(true)
  await seenClick(phone)
  await dialog.getByText('No channel is chosen').waitFor()
  await seenFill(dialog.getByLabel('Name', { exact: true }), 'quiet')
  await seenClick(dialog.getByRole('button', { name: 'Save rule' }))
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /quiet/ }).getByText('none').waitFor()
  await channel('mail')
  await seenClick(page.getByRole('button', { name: 'Add rule' }))
  await dialog.getByText('No channel is chosen').waitFor()
  expect(await phone.isChecked()).toBe(false)
})

/** Lets requests wait, until the returned function is called. */
async function hold(page: Page, address: RegExp): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return async () => {
    release()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

test('logs and events are empty only once they were read', async () => {
  await using opened = await journey.openSignedIn('/')
  const { page } = opened
  for (const [tab, what, empty, read] of [
    ['logs', 'log lines', 'No lines yet', 'No lines yet'],
    ['events', 'events', 'No events', 'Stack created'],
  ] as const) {
    const release = await hold(page, /\/ws\/ticket/)
    await page.goto(`${journey.running.url}/stacks/odd/${tab}`)
    await page.getByText(`Still waiting for ${what}`).waitFor()
    expect(await page.getByText(empty).count(), tab).toBe(0)
    await release()
    await page.getByText(read).first().waitFor()
  }
})

test('a log that cannot be connected says so, and connects as soon as it can', async () => {
  await using opened = await journey.openSignedIn('/', { expected: /ERR_FAILED/ })
  const { page } = opened
  await page.route(/\/ws\/ticket/, (route) => route.abort())
  await page.goto(`${journey.running.url}/stacks/odd/logs`)
  const problem = page.getByRole('alert').filter({ hasText: 'Not connected to the log' })
  await problem.waitFor()
  expect(await page.getByText('No lines yet').count()).toBe(0)
  await seenClick(problem.getByRole('button', { name: 'Try again' }))
  await problem.waitFor()
  // From now on each further try succeeds, also one without a click.
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByText('No lines yet').waitFor()
})

test('files have no problems only once they were checked', async () => {
  await using opened = await journey.openSignedIn('/stacks/odd/files?file=compose.yaml')
  const { page } = opened
  await page.getByText('No problems').waitFor()
  const release = await hold(page, /\/stacks\/validate/)
  await seenClick(page.locator('.cm-content'))
  await page.keyboard.type('# a comment')
  await page.getByText('Checking', { exact: true }).waitFor()
  expect(await page.getByText('No problems').count()).toBe(0)
  await release()
  await page.getByText('No problems').waitFor()
})
