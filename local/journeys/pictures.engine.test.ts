import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../harness/service.ts'
import { comparePicture } from './harness/compare-pictures.ts'
import { type Journey, loaded, startJourney } from './harness/journey.ts'

let journey: Journey

/** Reads stacks only: what else there is on this machine is not at her home. */
const ada = { username: 'ada', password: 'a long password' }

beforeAll(async () => {
  journey = await startJourney()
  const { running, token } = journey
  const role = { name: 'author', permissions: ['stacks:read', 'stacks:create'] }
  await api(running, 'POST', '/roles', { token, body: role })
  await api(running, 'POST', '/users', { token, body: { ...ada, role: 'author' } })
})
afterAll(() => journey?.close())

test('the parts look as before in both themes and widths', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  const canvas = await (await journey.browser.newContext()).newPage()
  await page.locator('.cm-line').first().waitFor()
  // Marks of problems and the merge come later, and a skeleton says after seconds that it waits.
  await page.locator('.cm-lint-marker').first().waitFor()
  await page.getByRole('button', { name: 'Keep yours' }).first().waitFor()
  await page.getByText('Still waiting for').first().waitFor()
  for (const theme of ['dark', 'light'] as const) {
    for (const width of [1280, 390]) {
      // All of it is in view: an editor that is not has not measured its lines yet.
      await page.setViewportSize({ width, height: 5200 })
      await page.emulateMedia({ colorScheme: theme })
      const compared = await comparePicture(page, canvas, `kit-${theme}-${width}`)
      expect.soft(compared).toMatchObject({ isSame: true })
    }
  }
})

test('detects a button that is missing from a picture', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  const canvas = await (await journey.browser.newContext()).newPage()
  await page.locator('.cm-line').first().waitFor()
  const button = page.getByRole('button', { name: 'Deploy shop' }).first()
  await button.evaluate((element) => element.remove())
  const compared = await comparePicture(page, canvas, 'kit-dark-1280', { mayRenew: false })
  expect(compared.isSame).toBe(false)
})

test.each([
  { name: 'sign-in', open: () => journey.open('/') },
  { name: 'home', open: () => journey.openSignedIn('/', { as: ada }) },
  { name: 'stacks', open: () => journey.openSignedIn('/stacks') },
  { name: 'roles', open: () => journey.openSignedIn('/users/roles') },
  { name: 'not-found', open: () => journey.openSignedIn('/nothing/here') },
])('the page $name looks as before in both themes and widths', async ({ name, open }) => {
  await using opened = await open()
  const { page } = opened
  if (name === 'sign-in') await page.getByRole('button', { name: 'Sign in' }).waitFor()
  else await loaded(page)
  const canvas = await (await journey.browser.newContext()).newPage()
  for (const theme of ['dark', 'light'] as const) {
    for (const [width, height] of [
      [1280, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: theme })
      const compared = await comparePicture(page, canvas, `${name}-${theme}-${width}`)
      expect.soft(compared).toMatchObject({ isSame: true })
    }
  }
})
