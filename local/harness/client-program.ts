import { spawn } from 'node:child_process'
import { vi } from 'vitest'
import { boundToParent } from './bound-process.ts'

/** Options of a call of the client. */
export interface CallOptions {
  /** Text of standard input, empty by default. */
  stdin?: string
  /** Makes standard input a terminal on which these keys are typed when a question appears. */
  keys?: string
  env?: Record<string, string>
  cwd?: string
  platform?: string
  /** Makes standard output and error terminals with this many columns. */
  columns?: number
  /** Receives a function that sends an interrupt, like Ctrl+C. */
  onInterrupt?: (interrupt: () => void) => void
  /** Receives each text written to standard output. */
  onOut?: (text: string) => void
  /** Receives each text written to standard error. */
  onNote?: (text: string) => void
}

/** The exit code and output of the client. */
export interface Ended {
  code: number
  out: string
  err: string
}

/**
 * Returns the program that runs the client in these tests, or undefined if it runs in this process.
 * `CLI_EXECUTABLE` names an executable of the client.
 */
export const clientProgram = (): string | undefined => process.env.CLI_EXECUTABLE

/**
 * Returns whether a call can be made of a program. A program has the system and the clock that it
 * runs on, its output here is no terminal, and nothing shows when it listens for an interrupt.
 * `cli/main.engine.test.ts` has terminals and interrupts.
 */
export function suitsProgram({ keys, columns, platform = 'linux', onInterrupt }: CallOptions) {
  if (keys !== undefined || columns !== undefined || onInterrupt) return false
  const isOtherTime = vi.isFakeTimers() || vi.isMockFunction(Date.now)
  return platform === process.platform && !isOtherTime
}

/** Runs the client as a program, without the environment of this process. */
export function runProgram(
  program: string,
  argv: string[],
  home: string,
  options: CallOptions,
): Promise<Ended> {
  const env = { HOME: home, ...options.env }
  const child = spawn(...boundToParent(program, argv), { env, cwd: options.cwd ?? home })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk)
    options.onOut?.(chunk.toString('utf8'))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err.push(chunk)
    options.onNote?.(chunk.toString('utf8'))
  })
  // A command that fails at once does not read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8')
      resolve({ code: code ?? -1, out: text(out), err: text(err) })
    })
  })
}
