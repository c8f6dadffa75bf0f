import { conflict } from '../../../functions/core/errors.ts'
import type {
  ExecOptions,
  ExecOutput,
  ExecSession,
  TerminalSize,
} from '../../../functions/core/ports/engine-exec.ts'
import { type EngineState, getContainer } from './engine-state.ts'

/**
 * The behaviour of a command: at its start, for each piece of its input, and at the end of its
 * input.
 */
interface Program {
  begin?: string
  take?(text: string): void
  inputEnded?(): void
}

/**
 * Starts a command in a running container. `cat` echoes its input, `sleep` runs on, and `sh`
 * executes each line of its input. `echo`, `exit`, `stty size`, `id`, `pwd` and `hostname` work,
 * also in a `;` list with `sh -c`, and so does `>&2`.
 */
export function startCommand(
  state: EngineState,
  id: string,
  options: ExecOptions,
  signal: AbortSignal,
): ExecSession {
  const container = getContainer(state, id)
  if (container.state !== 'running') throw conflict(`Container ${id} is not running`)
  const { runs } = container
  const waiting: ExecOutput[] = []
  let size: TerminalSize = options.size ?? { columns: 0, rows: 0 }
  let code: number | undefined
  let isOpen = true

  const stopped = () =>
    container.state !== 'running' || container.runs !== runs || !state.containers.has(container.id)
  const isOver = () => code !== undefined || stopped()
  const end = (ended: number) => {
    code ??= ended
    state.touch()
  }
  const say = (text: string) => {
    const isError = text.endsWith(' >&2') && !options.tty
    waiting.push({
      stream: isError ? 'stderr' : 'stdout',
      data: Buffer.from(text.replace(/ >&2$/, '')),
    })
    state.touch()
  }

  function simple(text: string): void {
    const [word = '', ...rest] = text.trim().split(/\s+/)
    const newline = options.tty ? '\r\n' : '\n'
    if (word === 'exit') end(Number(rest[0] ?? 0))
    if (word === 'false') end(1)
    if (word === 'echo') {
      const isError = rest.at(-1) === '>&2'
      say(rest.slice(0, isError ? -1 : undefined).join(' ') + newline + (isError ? ' >&2' : ''))
    }
    if (text.trim() === 'stty size') say(`${size.rows} ${size.columns}${newline}`)
    if (word === 'pwd') say(`${options.workdir ?? '/'}${newline}`)
    if (word === 'hostname') say(`${container.name}${newline}`)
    if (word === 'id') say(`${options.user ?? 'root'}${newline}`)
  }
  const script = (text: string) => {
    for (const part of text.split(/[;\n]/)) if (code === undefined) simple(part)
  }
  const program = programOf(options.command, { script, say, end })
  if (program.begin !== undefined) script(program.begin)

  return {
    output: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          signal.throwIfAborted()
          const next = waiting.shift()
          if (next) yield next
          else if (isOver()) return
          else await state.changed(signal)
        }
      },
    },
    async write(data) {
      if (!isOver() && isOpen) program.take?.(Buffer.from(data).toString('latin1'))
    },
    endInput() {
      if (isOpen && !isOver()) program.inputEnded?.()
      isOpen = false
    },
    async resize(changed) {
      size = changed
    },
    async exitCode() {
      if (!state.containers.has(container.id)) return null
      return code ?? 137
    },
    async hangUp() {
      end(129)
      return []
    },
  }
}

interface Means {
  script(text: string): void
  say(text: string): void
  end(code: number): void
}

function programOf([word = '', ...rest]: string[], { script, say, end }: Means): Program {
  const name = word.replace(/^.*\//, '')
  const until0 = { inputEnded: () => end(0) }
  if (name === 'cat') return { take: say, ...until0 }
  if (name === 'sleep') return {}
  if (name === 'sh' && rest[0] === '-c') return { begin: sequence(rest[1] ?? '') }
  if (name === 'sh') return { take: script, ...until0 }
  return { begin: sequence([name, ...rest].join(' ')) }
}

/** A command exits with 0, unless it has its own `exit` or sleeps. */
const sequence = (text: string) => (/\bsleep\b/.test(text) ? text : `${text}; exit 0`)
