import type { Stage } from './stage.ts'

/**
 * Returns the processor time that the page's main thread has used, in seconds. Unlike the time of
 * the clock, it hardly depends on what else this machine does.
 */
export async function busySeconds({ cdp }: Stage): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

/**
 * Returns the milliseconds of the main thread, at a quarter of the speed, that one event costs in
 * the list of a thousand containers, more than the list costs without events.
 */
export async function costOfEvent(
  stage: Stage,
  { seconds, events }: { seconds: number; events: number },
): Promise<number> {
  const { page, url, rates, throttle } = stage
  await page.goto(`${url}/containers`)
  await page.locator('.table-row').first().waitFor()
  await throttle(true)
  const during = async () => {
    await page.waitForTimeout(1500)
    const before = await busySeconds(stage)
    await page.waitForTimeout(seconds * 1000)
    return (await busySeconds(stage)) - before
  }
  const idle = await during()
  await rates({ events })
  const loaded = await during()
  await rates({ events: 0 })
  await throttle(false)
  return ((loaded - idle) * 1000) / (events * seconds)
}
