import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparePicture } from './harness/compare-pictures.ts'
import { type Journey, startJourney } from './harness/journey.ts'

let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
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

test('a part that is gone is noticed', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  const canvas = await (await journey.browser.newContext()).newPage()
  await page.locator('.cm-line').first().waitFor()
  const button = page.getByRole('button', { name: 'Deploy shop' }).first()
  await button.evaluate((element) => element.remove())
  const compared = await comparePicture(page, canvas, 'kit-dark-1280', { mayRenew: false })
  expect(compared.isSame).toBe(false)
})
