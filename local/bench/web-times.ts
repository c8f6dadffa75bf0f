import { short, sized, table } from './numbers.ts'
import { buildService } from './service.ts'
import { costOfEvent } from './web/cost.ts'
import { type Frames, followLog, scrollBarePage, scrollContainers } from './web/frames.ts'
import { measureHeap } from './web/heap.ts'
import { type Delay, measureMenus, measureTyping } from './web/input.ts'
import { measurePaint, watchPaints } from './web/paint.ts'
import { crowdSize, type Stage, startStage } from './web/stage.ts'

const rounds = sized(3, 1)
const seconds = sized(10, 3)
const heapSeconds = sized(40, 5)
const events = 200
const lines = 10_000

/** Measures how soon and how smoothly the browser UI shows things, in Debian's Chromium. */
export async function webTimesBench(): Promise<string> {
  buildService()
  const stage = await startStage()
  try {
    const how = `Debian's Chromium ${await version(stage)}, headless and without a graphics card, on this machine; its page at a quarter of the processor's speed, except for the heap. Service and UI are the built ones. The Engine is that of this machine with ${crowdSize} simulated containers instead of its own, which write the events and lines.`
    const parts = [
      await paints(stage),
      await delays(stage),
      await motion(stage),
      await costs(stage),
    ]
    return [how, ...parts].join('\n\n')
  } finally {
    await stage.close()
  }
}

const version = async ({ page }: Stage) => page.context().browser()?.version()

async function paints(stage: Stage): Promise<string> {
  const rows: string[][] = []
  await watchPaints(stage)
  for (const [what, path, isCold] of [
    ['home, first visit', '/', true],
    ['home, again', '/', false],
    ['stacks, first visit', '/stacks', true],
    ['stacks, again', '/stacks', false],
  ] as const) {
    const { largest, rows: shown } = await measurePaint(stage, path, { rounds, isCold })
    rows.push([what, short(largest), short(shown)])
  }
  const head = ['signed in', 'largest paint ms', 'rows shown ms']
  return `Medians of ${rounds} loads; 50 stacks.\n\n${table(head, rows)}`
}

async function delays(stage: Stage): Promise<string> {
  const row = (what: string, { median, longest }: Delay) => [what, short(median), short(longest)]
  const rows = [
    row(`typing into the filter of ${crowdSize} containers`, await measureTyping(stage)),
    row('opening and closing a menu', await measureMenus(stage)),
  ]
  return `From an input to the frame that shows its effect, in steps of 8 ms.\n\n${table(['', 'median ms', 'longest ms'], rows)}`
}

async function motion(stage: Stage): Promise<string> {
  const row = (what: string, { drawn, perSecond, p95, long, busy }: Frames) => [
    ...[what, short(drawn), short(perSecond), short(p95), String(long)],
    `${Math.round(busy * 100)} %`,
  ]
  const bare = await scrollBarePage(stage, seconds)
  const quiet = await scrollContainers(stage, { seconds, events: 0 })
  const busy = await scrollContainers(stage, { seconds, events })
  const log = await followLog(stage, { seconds, lines })
  const rows = [
    row('scrolling a bare page', bare),
    row(`scrolling ${crowdSize} containers`, quiet),
    row(`the same with ${events} events/s`, busy),
    row(`a log of ${lines} lines/s, ring of 50 000`, log),
  ]
  const head = [
    ...['', 'frames drawn/s', 'frames of the main thread/s', '95 % of those within ms'],
    ...['those over 50 ms', 'main thread busy'],
  ]
  return `Over ${seconds} s each. The browser scrolls what is in the page without the main thread, which puts the next rows there. The log showed ${short(log.lines)} lines/s.\n\n${table(head, rows)}`
}

async function costs(stage: Stage): Promise<string> {
  const single = await costOfEvent(stage, { seconds, events: 1 })
  const many = await costOfEvent(stage, { seconds, events })
  const heap = await measureHeap(stage, heapSeconds)
  const rows = [
    [`one event in ${crowdSize} containers, at one a second`, `${short(single)} ms`],
    [`one event, at ${events} a second`, `${short(many)} ms`],
    ['heap of an open log, collected', `${short(heap.before)} MiB`],
    [
      `heap after ${heap.events} events and ${heap.lines} lines, of which it got ${heap.shown}`,
      `${short(heap.after)} MiB`,
    ],
  ]
  return `Processor time of the main thread, and the heap after 8 hours of one event and 20 lines a second, sent within ${heapSeconds} s.\n\n${table(['', ''], rows)}`
}
