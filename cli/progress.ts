import type { Io } from './io.ts'
import { painter } from './print.ts'
import type { Deployment } from './records.ts'
import { clean, cut } from './text.ts'
import { duration } from './units.ts'

type Step = Deployment['steps'][number]

/** Shows how the steps of a deployment go, on standard error. */
export interface Progress {
  show(deployment: Deployment): void
  end(): void
}

/** On a terminal a list that is drawn anew; elsewhere a line for each change; nothing when the answer alone is wanted. */
export function makeProgress(io: Io, format: 'table' | 'json'): Progress {
  if (io.stderr.isTTY && io.env.TERM !== 'dumb') return drawn(io)
  return format === 'json' ? { show() {}, end() {} } : lined(io)
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
    end() {},
  }
}

/** Back to the first line drawn, with everything below it wiped. */
const up = (lines: number) => (lines === 0 ? '' : `\u001b[${lines}A\r\u001b[J`)

function frameOf({ steps }: Deployment, io: Io, since: Map<number, number>, spinner: string) {
  const { columns = 80, rows = 24 } = io.stderr
  const paint = painter(io.stderr, io.env)
  const lines = steps.map((step, at) => {
    if (step.status === 'running' && !since.has(at)) since.set(at, Date.now())
    const took = step.ms ?? (step.status === 'running' ? Date.now() - (since.get(at) ?? 0) : null)
    const time = took === null ? '' : duration(took)
    const text = cut(`${textOf(step)}  ${clean(step.reason)}`, Math.max(10, columns - 18))
    const line = `${markOf(step, spinner, paint)} ${text}  ${paint('dim', time)}`
    return { status: step.status, line: step.status === 'pending' ? paint('dim', line) : line }
  })
  const room = Math.max(3, rows - 2)
  if (lines.length <= room) return lines.map(({ line }) => line)
  // More than the terminal holds: what goes on counts most, then what is done last.
  const done = lines.filter(({ status }) => status === 'done').length
  const live = lines.filter(({ status }) => status === 'running' || status === 'failed')
  const shown = live.slice(0, room - 1).map(({ line }) => line)
  return [...shown, paint('dim', `${done} of ${lines.length} steps done`)]
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
