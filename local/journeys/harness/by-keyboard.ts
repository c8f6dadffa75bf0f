import type { Page } from 'playwright-core'

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
  }
  return page.evaluate<string[]>(unreached)
}

/** Notes what gets the focus. Returns how many elements can be clicked. */
const begin = `(() => {
  const native = 'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"]'
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const isUsable = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
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
