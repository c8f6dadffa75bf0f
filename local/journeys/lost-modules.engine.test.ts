import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Journey, startJourney } from './harness/journey.ts'
import { seenClick } from './harness/seen-click.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey?.close())

/** Opens the login while the browser gets no response to the first `times` requests for a file. */
async function openWithout(file: RegExp, times: number) {
  const opened = await journey.open('/', { expected: /ERR_CONNECTION_RESET|lazy|imported module/ })
  const { page } = opened
  await page.getByLabel('User name').waitFor()
  let left = times
  await page.route(file, (route) => {
    left -= 1
    return left >= 0 ? route.abort('connectionreset') : route.continue()
  })
  await page.reload()
  return Object.assign(opened, { left: () => left })
}

const isStyled = (page: Page) =>
  page.evaluate<boolean>(`getComputedStyle(document.body).fontFamily.includes('Inter')`)

test.each([
  ['the script of the page', /\/assets\/main-/],
  ['what the script imports', /\/assets\/chunk-/],
  ['the styles', /\/assets\/style-/],
  ['the login', /\/assets\/login-/],
])('a page appears although the browser drops %s once', async (_, file) => {
  await using opened = await openWithout(file, 1)
  await opened.page.getByLabel('User name').waitFor()
  expect(opened.left()).toBeLessThan(1)
  await expect.poll(() => isStyled(opened.page)).toBe(true)
})

test('a page that stays without its script says so, and is loaded again by a click', async () => {
  await using opened = await openWithout(/\/assets\/main-/, 2)
  const { page } = opened
  await page.getByRole('alert').getByText('The page could not be loaded.').waitFor()
  await seenClick(page.getByRole('link', { name: 'Load it again' }))
  await page.getByLabel('User name').waitFor()
  expect(await page.getByText('The page could not be loaded.').isVisible()).toBe(false)
})

test('a part of the page that cannot be loaded is named, with a way on', async () => {
  await using opened = await openWithout(/\/assets\/login-/, 2)
  const { page } = opened
  await page.getByText('A part of the page could not be loaded').waitFor()
  await seenClick(page.getByRole('button', { name: 'Reload the page' }))
  await page.getByLabel('User name').waitFor()
})

test('a page without the texts of its language says in English what is missing', async () => {
  const expected = /ERR_|imported module/
  await using opened = await journey.open('/', { locale: 'de-DE', expected })
  const { page } = opened
  await page.getByLabel('Passwort').waitFor()
  await page.route(/\/assets\/de-/, (route) => route.abort('connectionreset'))
  await page.reload()
  await page.getByText('A part of the page could not be loaded').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await seenClick(page.getByRole('button', { name: 'Reload the page' }))
  await page.getByLabel('Passwort').waitFor()
})

test('a screen that cannot be loaded is named inside the frame', async () => {
  await using opened = await journey.openSignedIn('/', { expected: /ERR_|imported module/ })
  const { page } = opened
  await page.route(/\/assets\/volumes-/, (route) => route.abort('connectionreset'))
  await seenClick(page.getByRole('link', { name: 'Volumes' }).first())
  await page.getByText('A part of the page could not be loaded').waitFor()
  await seenClick(page.getByRole('link', { name: 'Stacks' }).first())
  await page.getByRole('heading', { name: 'Stacks' }).waitFor()
})
