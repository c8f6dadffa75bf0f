import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Returns what has the focus, by its accessible name or its text. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const at = document.activeElement
    const label = at.labels?.[0]?.textContent
    return at === document.body ? 'nothing' : (at.getAttribute('aria-label') ?? label ?? at.textContent).trim()
  })()`)

/** Waits until something has the focus. */
export const untilFocused = (page: Page, wanted: string) =>
  expect.poll(() => focused(page), { message: `focus of ${wanted}` }).toBe(wanted)

/** Presses Tab until something has the focus. Nothing may keep the focus on the way. */
export async function tabTo(page: Page, wanted: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses += 1) {
    const now = await focused(page)
    if (now === wanted) return
    passed.push(now)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never leads to ${wanted}, only to ${passed.join(', ')}`)
}

/**
 * Presses the two keys of a shortcut. The browser gets both at once: one has to follow the other
 * within a second, and a busy page answers the first one late.
 */
export async function pressBoth(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)])
}

/**
 * Leaves the editor, where Tab indents: for 2 s after Escape it leads on. The first Escape may
 * close completions.
 */
export async function leaveEditor(page: Page, label: string): Promise<void> {
  const leave = async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    return focused(page)
  }
  await expect.poll(leave).not.toBe(label)
}

/** Chooses an entry of the menu that has the focus. */
export async function choose(page: Page, menu: string, entry: string): Promise<void> {
  await tabTo(page, menu)
  await page.keyboard.press('Enter')
  await page.getByRole('menu', { name: menu }).waitFor()
  // It focuses its first entry once it is open.
  await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('menuitem')
  const entries = await page.getByRole('menu', { name: menu }).getByRole('menuitem').count()
  for (let presses = 0; presses < entries; presses += 1) {
    if ((await focused(page)) === entry) break
    await page.keyboard.press('ArrowDown')
  }
  await untilFocused(page, entry)
  await page.keyboard.press('Enter')
}

/**
 * Presses Tab through a page. Returns what can be clicked on it and never got the focus, as HTML.
 * Rows and labels count as reached with what is in them, and options of a choice with the choice.
 */
export async function unreachedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(begin)
  // An editor keeps Tab for itself until Escape is pressed in it.
  const keys = (await page.locator('.cm-content').count()) > 0 ? ['Escape', 'Tab'] : ['Tab']
  for (let presses = 0; presses < count + 30; presses += 1) {
    for (const key of keys) await page.keyboard.press(key)
    if (presses % 10 === 9 && (await page.evaluate<string[]>(unreached)).length === 0) return []
  }
  return page.evaluate<string[]>(unreached)
}

/** Notes what gets the focus. Returns how many elements can be clicked. */
const begin = `(() => {
  const native = 'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"]'
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const isUsable = (one) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.disabled && one.getAttribute('aria-disabled') !== 'true' && one.tabIndex !== -1
  const looksClickable = (one) =>
    getComputedStyle(one).cursor === 'pointer' &&
    getComputedStyle(one.parentElement).cursor !== 'pointer'
  const all = [...root.querySelectorAll('*')].filter(
    (one) => one.checkVisibility() && (one.matches(native) ? isUsable(one) : looksClickable(one)),
  )
  window.byKeyboard = { all, reached: new Set() }
  document.addEventListener('focusin', ({ target }) => byKeyboard.reached.add(target))
  return all.length
})()`

const unreached = `(() => {
  const reached = [...byKeyboard.reached]
  const belongs = (one) =>
    reached.some((other) => one.contains(other) || other.contains(one)) ||
    (one.control && reached.includes(one.control)) ||
    // The arrows choose among radio buttons.
    (one.type === 'radio' && reached.some(({ name, type }) => type === 'radio' && name === one.name))
  return byKeyboard.all
    .filter((one) => one.isConnected && !one.disabled && !belongs(one))
    .map((one) => one.outerHTML.slice(0, 200))
})()`
