import type { Deployment } from '../api/types.ts'
import type { Io } from '../io.ts'
import { liveLines } from './live-lines.ts'
import { painter, type Style } from './paint.ts'
import { frames, type Progress, type ProgressMode, progressIn } from './progress.ts'
import { type StepDetail, type StepLine, stepLines } from './step-lines.ts'
import { clean, cut, cutMiddle, widthOf } from './text.ts'
import { duration } from './units.ts'

/** Returns what shows the steps of a deployment, by default a line for each thing that changes. */
export function makeProgress(
  io: Io,
  mode: ProgressMode,
  detail: StepDetail = {},
): Progress<Deployment> {
  const linesOf = (deployment: Deployment) => stepLines(deployment, detail)
  return progressIn(io, mode, {
    tty: (shown) => drawn(shown, linesOf),
    plain: (shown) => lined(shown, linesOf),
    facts: factsOf,
  })
}

type LinesOf = (deployment: Deployment) => StepLine[]

const factsOf = ({ id, stack, status, error, steps }: Deployment) => [
  { deployment: id, stack, status, error },
  ...steps.map((step, at) => ({ deployment: id, step: at, ...step })),
]

function lined({ stderr }: Io, linesOf: LinesOf): Progress<Deployment> {
  const said = new Set<string>()
  return {
    show(deployment) {
      for (const line of linesOf(deployment)) {
        if (!/done|failed/.test(line.status) || said.has(line.subject + line.action)) continue
        said.add(line.subject + line.action)
        const verb = line.status === 'failed' ? `${line.action} ` : ''
        stderr.write(`${line.word.padEnd(9)}  ${verb}${line.subject}${aside(line)}\n`)
      }
    },
    away: (why) => void stderr.write(`${clean(why)}\n`),
    end() {},
  }
}

function aside({ status, ms, reason, error }: StepLine): string {
  const parts = [status === 'failed' ? '' : reason, ms === null ? '' : duration(ms)]
  const text = ` (${parts.filter(Boolean).join(', ')})`
  if (!error) return text
  const [first = '', ...rest] = error.trimEnd().split('\n').map(clean)
  return [`${text}: ${first}`, ...rest].join('\n           ')
}

function drawn(io: Io, linesOf: LinesOf): Progress<Deployment> {
  const { stderr } = io
  const lines = liveLines(stderr)
  const since = new Map<string, number>()
  let turn = 0
  let last: string[] = []
  return {
    show(deployment) {
      last = frameOf(linesOf(deployment), io, since, frames[turn % frames.length] ?? '')
      turn += 1
      lines.draw(last)
    },
    away: (why) => lines.draw([...last, painter(stderr, io.env)('yellow', clean(why))]),
    end: () => lines.leave(),
  }
}

/** The columns for mark, what happens, and time. */
const besides = 30

function frameOf(steps: StepLine[], io: Io, since: Map<string, number>, spinner: string) {
  const { columns = 80, rows = 24 } = io.stderr
  const paint = painter(io.stderr, io.env)
  const subjects = steps.map(({ subject }) => cutMiddle(subject, Math.max(16, columns - besides)))
  const width = Math.max(0, ...subjects.map(widthOf))
  const lines = steps.map((step, at) => {
    const subject = subjects[at] ?? ''
    const [mark, style] = marks[step.status]
    const start = `${paint(style, mark ?? spinner)} ${subject}`
    if (step.status === 'pending') return paint('dim', start)
    const time = timeOf(step, since)
    const why = clean(step.error ?? step.reason)
    const words = `${step.word.padEnd(12)} ${time.padStart(8)}`
    const space = ' '.repeat(width - widthOf(subject) + 2)
    const room = columns - width - words.length - 8
    const more = room > 10 ? `  ${cut(why, room)}` : ''
    return `${start}${space}${paint(style, words)}${paint('dim', more)}`
  })
  const room = Math.max(3, rows - 2)
  if (lines.length <= room) return lines
  // If the steps do not fit the terminal, shows the running and failed ones and the number done.
  const live = lines.filter((_, at) => /running|failed/.test(steps[at]?.status ?? ''))
  const done = steps.filter(({ status }) => status === 'done').length
  return [...live.slice(0, room - 1), paint('dim', `${done} of ${steps.length} done`)]
}

/** Running steps have a spinner instead of a mark. */
const marks: Record<StepLine['status'], [string | undefined, Style]> = {
  done: ['✔', 'green'],
  failed: ['✘', 'red'],
  running: [undefined, 'cyan'],
  skipped: ['-', 'dim'],
  pending: [' ', 'dim'],
}

/** Returns how long it took, or has taken so far by the local clock. */
function timeOf({ status, ms, subject, action }: StepLine, since: Map<string, number>): string {
  if (status !== 'running') return ms === null ? '' : duration(ms)
  const key = subject + action
  const start = since.get(key) ?? Date.now()
  since.set(key, start)
  return duration(Date.now() - start)
}
