import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilFocused } from './harness/by-keyboard.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
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
