import { newestLine, openLog } from './frames.ts'
import type { Stage } from './stage.ts'

const hours = 8
/** Events and log lines of a usual second. */
const usual = { events: 1, lines: 20 }

const mebibytes = (bytes: number) => bytes / 2 ** 20

/** Returns the size of the page's heap after forced collections, in MiB. */
async function heapOf({ cdp }: Stage): Promise<number> {
  for (let turn = 0; turn < 2; turn += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return mebibytes(usedSize)
}

/**
 * Follows a log and events for as many messages as there are in eight hours, within seconds. The
 * page runs at full speed.
 */
export async function measureHeap(stage: Stage, seconds: number) {
  const all = hours * 3600
  await openLog(stage)
  const before = await heapOf(stage)
  const from = await newestLine(stage)
  const speed = all / seconds
  await stage.rates({ events: usual.events * speed, lines: usual.lines * speed })
  await stage.page.waitForTimeout(seconds * 1000)
  await stage.rates({ events: 0, lines: 0 })
  await stage.page.waitForTimeout(2000)
  const after = await heapOf(stage)
  const shown = (await newestLine(stage)) - from
  return { before, after, shown, events: usual.events * all, lines: usual.lines * all }
}
