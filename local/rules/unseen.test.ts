import { expect, test } from 'vitest'
import { unseenActions } from './unseen.ts'

const path = 'local/journeys/a.engine.test.ts'
const offences = (text: string, at = path) => unseenActions([{ path: at, text }], {})

test.each([
  ['click', "await page.getByRole('button', { name: 'Go' }).click()"],
  ['click', "await page.click('button')"],
  ['click', 'await page.mouse.click(1, 2)'],
  ['click', "await page\n  .getByText('Go')\n  .click({ force: true })"],
  ['click', "await page.evaluate(`document.querySelector('button').click()`)"],
  ['dblclick', "await page.getByText('word').dblclick()"],
  ['check', "await page.getByLabel('Yes').check()"],
  ['fill', "await page.getByLabel('Name').fill('ada')"],
  ['selectOption', 'await list.selectOption(wanted)'],
  ['setInputFiles', "await page.locator('input').setInputFiles(file)"],
  ['hover', 'await row.hover()'],
])('finds %s without a look: %s', (action, text) => {
  expect(offences(text)).toEqual([`${path}: ${action} without a look, use harness/seen-click.ts`])
  expect(offences(text, 'local/bench/a.ts')).toEqual([])
})

test.each([
  'await seenClick(page.getByText("Go"))',
  '// Not by .click()',
  "const keys = Array(4).fill('ArrowRight')",
  "await page.keyboard.press('Enter')",
])('accepts %s', (text) => {
  expect(offences(text)).toEqual([])
})

test('finds an exception that nothing needs', () => {
  const allowed = { [path]: 'why' }
  expect(unseenActions([{ path, text: 'await one.click()' }], allowed)).toEqual([])
  expect(unseenActions([{ path, text: '' }], allowed)).toEqual([`${path}: needs no exception`])
})
