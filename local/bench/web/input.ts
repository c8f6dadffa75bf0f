import type { Stage } from './stage.ts'

/** Milliseconds from an input to the frame that shows its effect, in steps of eight. */
export interface Delay {
  median: number
  longest: number
}

const noteDelays = `
window.delays = new Map()
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) {
    if (interactionId === 0) continue
    window.delays.set(interactionId, Math.max(duration, window.delays.get(interactionId) ?? 0))
  }
}).observe({ type: 'event', durationThreshold: 16 })
`

/** Returns the delays of interactions in a page at a quarter of the speed. */
async function delaysOf(
  { page, throttle }: Stage,
  interact: () => Promise<number>,
): Promise<Delay> {
  await page.evaluate(noteDelays)
  await throttle(true)
  const count = await interact()
  await page.waitForTimeout(1000)
  await throttle(false)
  const noted = await page.evaluate<number[]>('[...window.delays.values()]')
  // The browser does not report those below 16 ms.
  const quick = Array<number>(Math.max(0, count - noted.length)).fill(8)
  const delays = [...quick, ...noted].sort((one, other) => one - other)
  return {
    median: delays[Math.floor(delays.length / 2)] ?? Number.NaN,
    longest: delays.at(-1) ?? Number.NaN,
  }
}

/** Types into the filter of a list of a thousand containers, and deletes it again. */
export async function measureTyping(stage: Stage): Promise<Delay> {
  const { page, url } = stage
  await page.goto(`${url}/containers`)
  const filter = page.locator('[data-filter]')
  await filter.click()
  await page.locator('.table-row').first().waitFor()
  const words = 'shop-4'
  return delaysOf(stage, async () => {
    await page.keyboard.type(words, { delay: 250 })
    for (const _ of words) await page.keyboard.press('Backspace', { delay: 50 })
    return words.length * 2
  })
}

/** Opens and closes the menus of rows. */
export async function measureMenus(stage: Stage): Promise<Delay> {
  const { page, url } = stage
  await page.goto(`${url}/containers`)
  await page.locator('.table-row').first().waitFor()
  const menus = 5
  return delaysOf(stage, async () => {
    for (let row = 0; row < menus; row += 1) {
      const menu = page.locator('.table-row').nth(row).locator('.menu')
      await menu.locator('button').first().click()
      await menu.getByRole('menu').waitFor()
      await page.waitForTimeout(200)
      await page.keyboard.press('Escape')
      await page.waitForTimeout(200)
    }
    return menus * 2
  })
}
