import { quantile } from '../numbers.ts'
import { busySeconds } from './cost.ts'
import { crowdId } from './crowd.ts'
import { countDrawn } from './drawn.ts'
import type { Stage } from './stage.ts'

/** How smoothly a page moves. */
export interface Frames {
  /** Pictures that the browser drew, also those that it moved without the main thread. */
  drawn: number
  /** Frames for which the main thread ran, each second. */
  perSecond: number
  /** Milliseconds that 95 % of the frames do not exceed. */
  p95: number
  /** Frames of more than 50 ms. */
  long: number
  /** The part of the time for which the main thread was busy. */
  busy: number
}

/** Returns the times of the frames of a page for so long. */
const noteFrames = (milliseconds: number) => `new Promise((resolve) => {
  const times = []
  const step = (now) => {
    times.push(now)
    if (now - times[0] < ${milliseconds}) requestAnimationFrame(step)
    else resolve(times)
  }
  requestAnimationFrame(step)
})`

async function framesOf(stage: Stage, seconds: number): Promise<Frames> {
  const { page, throttle } = stage
  await throttle(true)
  const before = await busySeconds(stage)
  const noted = () => page.evaluate<number[]>(noteFrames(seconds * 1000))
  const { result: times, drawn } = await countDrawn(stage, noted)
  const used = (await busySeconds(stage)) - before
  await throttle(false)
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const total = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return {
    drawn: (drawn * 1000) / total,
    perSecond: (gaps.length * 1000) / total,
    p95: quantile(gaps, 0.95),
    long: gaps.filter((gap) => gap > 50).length,
    busy: (used * 1000) / total,
  }
}

/** Scrolls down and up, as a wheel does, until the work ends. */
async function whileScrolling<T>({ cdp }: Stage, work: () => Promise<T>): Promise<T> {
  let isDone = false
  const scroll = async () => {
    for (let round = 0; !isDone; round += 1) {
      await cdp.send('Input.synthesizeScrollGesture', {
        x: 700,
        y: 500,
        yDistance: round % 2 === 0 ? -3000 : 3000,
        speed: 2000,
        gestureSourceType: 'mouse',
      })
    }
  }
  const scrolled = scroll()
  const result = await work()
  isDone = true
  await scrolled
  return result
}

/** Scrolls a page of plain text, which shows what this machine can do without a graphics card. */
export async function scrollBarePage(stage: Stage, seconds: number): Promise<Frames> {
  const lines = `Array.from({ length: 1000 }, (_, line) => '<p>Line ' + line + '</p>').join('')`
  await stage.page.goto('about:blank')
  await stage.page.evaluate(`document.body.innerHTML = ${lines}`)
  return whileScrolling(stage, () => framesOf(stage, seconds))
}

/** Scrolls the list of a thousand containers while so many of them start and stop each second. */
export async function scrollContainers(
  stage: Stage,
  { seconds, events }: { seconds: number; events: number },
): Promise<Frames> {
  await stage.page.goto(`${stage.url}/containers`)
  await stage.page.locator('.table-row').first().waitFor()
  await stage.rates({ events })
  const frames = await whileScrolling(stage, () => framesOf(stage, seconds))
  await stage.rates({ events: 0 })
  return frames
}

/** Opens the log of a container. */
export async function openLog({ page, url }: Stage): Promise<void> {
  await page.goto(`${url}/containers/local/${crowdId(0)}/logs`)
  await page.locator('.log-text').first().waitFor()
}

/** Returns the number of the newest line of a log that follows. */
export const newestLine = ({ page }: Stage) =>
  page.evaluate<number>(`Number(
    [...document.querySelectorAll('.log-text')].at(-1).textContent.match(/items.(\\d+)/)?.[1])`)

/** Follows a log. Returns its frames, and how many lines were shown each second. */
export async function followLog(
  stage: Stage,
  { seconds, lines }: { seconds: number; lines: number },
): Promise<Frames & { lines: number }> {
  await openLog(stage)
  await stage.rates({ lines })
  // A ring that is full takes the longer way.
  await stage.page.waitForTimeout((60_000 / lines) * 1000)
  const before = await newestLine(stage)
  const frames = await framesOf(stage, seconds)
  const after = await newestLine(stage)
  await stage.rates({ lines: 0 })
  return { ...frames, lines: (after - before) / seconds }
}
