import { median } from '../numbers.ts'
import type { Stage } from './stage.ts'

/** Milliseconds from the navigation. */
export interface Paint {
  /** The largest contentful paint. */
  largest: number
  /** The first row of the list is in the page. */
  rows: number
}

/** A later paint replaces the one before if it is larger. */
const notePaints = `
window.paints = { largest: 0, rows: 0 }
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) window.paints.largest = startTime
}).observe({ type: 'largest-contentful-paint', buffered: true })
const watchRows = () => {
  if (!document.querySelector('[data-row]')) return requestAnimationFrame(watchRows)
  window.paints.rows = performance.now()
}
requestAnimationFrame(watchRows)
`

/** Notes the paints of every page that is opened from now on. */
export const watchPaints = ({ page }: Stage) => page.addInitScript(notePaints)

/** Loads a path several times at a quarter of the speed. Returns the medians. */
export async function measurePaint(
  { page, cdp, url, throttle }: Stage,
  path: string,
  { rounds, isCold }: { rounds: number; isCold: boolean },
): Promise<Paint> {
  const paints: Paint[] = []
  for (let round = 0; round < rounds; round += 1) {
    await page.goto('about:blank')
    if (isCold) await cdp.send('Network.clearBrowserCache')
    await throttle(true)
    await page.goto(`${url}${path}`)
    await page.locator('[data-row]').first().waitFor()
    // What is painted after the rows counts too.
    await page.waitForTimeout(1500)
    paints.push(await page.evaluate<Paint>('window.paints'))
    await throttle(false)
  }
  return {
    largest: median(paints.map(({ largest }) => largest)),
    rows: median(paints.map(({ rows }) => rows)),
  }
}
