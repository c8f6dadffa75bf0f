import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ComposerAnswer, ComposerQuestion } from './composer-messages.ts'
import { processorTime } from './processor-time.ts'

const memoryMegabytesMax = 128
const youngMegabytesMax = 16
/** Below the 8 MiB that systems give to a process's first thread. */
const stackKilobytes = 3900

/** Called with what the worker says, and once if it ends without having been told to. */
export interface WorkerEvents {
  said(answer: ComposerAnswer): void
  /** `tooMuch`: it ended as processes do that need more memory than they may have. */
  ended(cause: { tooMuch: boolean; error: Error }): void
}

/**
 * The process that reads and plans compose files. A thread would not do: V8 ends the whole process if one large
 * allocation of a thread exceeds that thread's limit.
 */
export class WorkerProcess {
  readonly #child: ChildProcess
  #events: WorkerEvents | undefined

  constructor(events: WorkerEvents) {
    this.#events = events
    this.#child = fork(workerFile(), {
      execArgv: [
        `--max-old-space-size=${memoryMegabytesMax}`,
        `--max-semi-space-size=${youngMegabytesMax}`,
        `--stack-size=${stackKilobytes}`,
      ],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (answer: ComposerAnswer) => this.#events?.said(answer))
    this.#child.on('error', (error) => this.#end({ tooMuch: false, error }))
    this.#child.on('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      this.#end({ tooMuch: isTooMuch(code, signal), error: new Error(`the worker ended: ${how}`) })
    })
    this.unref()
  }

  ask(question: ComposerQuestion): void {
    // A failure to send ends in `exit` or `error`.
    this.#child.send(question, () => {})
  }

  /** Returns for how long it has had a processor, in milliseconds; the time of the clock where that is not known. */
  processorTime(): number {
    const { pid } = this.#child
    return (pid === undefined ? undefined : processorTime(pid)) ?? performance.now()
  }

  /** Ends it at once. No event follows. */
  async kill(): Promise<void> {
    this.#events = undefined
    const child = this.#child
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGKILL')
    await ended
  }

  /** Keeps this process alive as long as the worker has work. */
  ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #end(cause: { tooMuch: boolean; error: Error }): void {
    const events = this.#events
    this.#events = undefined
    events?.ended(cause)
  }
}

/** V8 aborts without memory, a stack that overflows ends in SIGSEGV, and the kernel kills with SIGKILL. */
function isTooMuch(code: number | null, signal: NodeJS.Signals | null): boolean {
  return (
    code === 134 ||
    (signal !== null &&
      ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGKILL'].includes(signal))
  )
}

/** The worker beside this file: the bundle's, or the source while this is one. */
function workerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? 'composer-worker-source.mjs' : 'composer-worker.js'
  return fileURLToPath(new URL(`./${name}`, import.meta.url))
}
