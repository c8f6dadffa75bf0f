import type { Io } from './io.ts'
import { painter } from './print.ts'
import type { Deployment } from './records.ts'
import { clean, cut, widthOf } from './text.ts'
import { duration } from './units.ts'

type Step = Deployment['steps'][number]

/** Shows the steps of a deployment on standard error. */
export interface Progress {
  show(deployment: Deployment): void
  /** Says why there is no progress for a while. */
  away(why: string): void
  end(): void
}

/**
 * Returns a list that is redrawn on a terminal. Elsewhere it prints a line per change, or nothing
 * with JSON output.
 */
export function makeProgress(io: Io, format: 'table' | 'json'): Progress {
  if (io.stderr.isTTY && io.env.TERM !== 'dumb') return drawn(io)
  return format === 'json' ? { show() {}, away() {}, end() {} } : lined(io)
}

function lined({ stderr }: Io): Progress {
  const said = new Map<number, Step['status']>()
  return {
    show({ steps }) {
      steps.forEach((step, at) => {
        if (step.status === 'pending' || said.get(at) === step.status) return
        said.set(at, step.status)
        stderr.write(`${step.status.padEnd(7)}  ${textOf(step)}${aside(step)}\n`)
      })
    },
    away(why) {
      stderr.write(`${clean(why)}\n`)
    },
    end() {},
  }
}

function aside({ status, ms, reason }: Step): string {
  if (status === 'running') return reason ? ` (${clean(reason)})` : ''
  return ms === null ? '' : ` (${duration(ms)})`
}

const textOf = ({ action, kind, name }: Step) => clean(`${action} ${kind} ${name}`)

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

function drawn(io: Io): Progress {
  const { stderr } = io
  const since = new Map<number, number>()
  let height = 0
  let turn = 0
  return {
    show(deployment) {
      const lines = frameOf(deployment, io, since, frames[turn % frames.length] ?? '')
      turn += 1
      stderr.write(`${up(height)}${lines.map((line) => `${line}\n`).join('')}`)
      height = lines.length
    },
    away(why) {
      // Counted as part of the picture, so that the next one overwrites it.
      const line = cut(clean(why), Math.max(10, (stderr.columns ?? 80) - 1))
      stderr.write(`${painter(stderr, io.env)('yellow', line)}\n`)
      height += 1
    },
    end() {},
  }
}

/** Returns the escape codes that move to the first drawn line and clear from there. */
const up = (lines: number) => (lines === 0 ? '' : `\u001b[${lines}A\r\u001b[J`)

function frameOf({ steps }: Deployment, io: Io, since: Map<number, number>, spinner: string) {
  const { columns = 80, rows = 24 } = io.stderr
  const paint = painter(io.stderr, io.env)
  const texts = steps.map((step) =>
    cut(`${textOf(step)}  ${clean(step.reason)}`, Math.max(10, columns - 18)),
  )
  const width = Math.max(...texts.map(widthOf))
  const lines = steps.map((step, at) => {
    const text = texts[at] ?? ''
    const time = timeOf(step, at, since)
    const line = `${markOf(step, spinner, paint)} ${text}`
    if (step.status === 'pending') return paint('dim', line)
    return time ? `${line}${' '.repeat(width - widthOf(text) + 2)}${paint('dim', time)}` : line
  })
  const room = Math.max(3, rows - 2)
  if (lines.length <= room) return lines
  // If the steps do not fit the terminal, shows the running and failed ones and the number done.
  const live = lines.filter((_, at) => /running|failed/.test(steps[at]?.status ?? ''))
  const done = steps.filter(({ status }) => status === 'done').length
  return [...live.slice(0, room - 1), paint('dim', `${done} of ${steps.length} steps done`)]
}

/** Returns how long a step took, or has taken so far by the local clock. */
function timeOf({ status, ms }: Step, at: number, since: Map<number, number>): string {
  if (ms !== null) return duration(ms)
  if (status !== 'running') return ''
  const start = since.get(at) ?? Date.now()
  since.set(at, start)
  return duration(Date.now() - start)
}

function markOf({ status }: Step, spinner: string, paint: ReturnType<typeof painter>): string {
  switch (status) {
    case 'done':
      return paint('green', '✔')
    case 'failed':
      return paint('red', '✘')
    case 'running':
      return paint('cyan', spinner)
    case 'skipped':
      return paint('dim', '-')
    default:
      return ' '
  }
}
