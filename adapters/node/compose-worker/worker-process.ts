import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ComposerAnswer, ComposerQuestion } from './messages.ts'
import { processorTime } from './processor-time.ts'

const memoryMegabytesMax = 128
const youngMegabytesMax = 16
/** Less than the 8 MiB stack of a process's main thread. */
const stackKilobytes = 3900

/** `said` receives the messages of the worker. `ended` is called once if it ends on its own. */
export interface WorkerEvents {
  said(answer: ComposerAnswer): void
  ended(end: WorkerEnd): void
}

/**
 * How a worker ended. `memory`: it reached its limit of heap or stack. `killed`: by SIGKILL, from a
 * person or from the kernel when the machine is out of memory; the exit status does not tell which.
 */
export interface WorkerEnd {
  cause: 'memory' | 'killed' | 'other'
  error: Error
}

/**
 * The process that loads and plans compose files. A thread is not enough: V8 ends the whole process
 * if one large allocation exceeds the limit of a thread.
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
    this.#child.on('error', (error) => this.#end({ cause: 'other', error }))
    this.#child.on('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      this.#end({ cause: causeOf(code, signal), error: new Error(`the worker ended: ${how}`) })
    })
    this.unref()
  }

  ask(question: ComposerQuestion): void {
    // A failed send leads to `exit` or `error`.
    this.#child.send(question, () => {})
  }

  /** Returns the CPU time that it has used, in milliseconds; wall-clock time if that is unknown. */
  processorTime(): number {
    const { pid } = this.#child
    return (pid === undefined ? undefined : processorTime(pid)) ?? performance.now()
  }

  /** Kills it. No event follows. */
  async kill(): Promise<void> {
    this.#events = undefined
    const child = this.#child
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGKILL')
    await ended
  }

  /** Keeps this process alive while the worker is busy. */
  ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #end(end: WorkerEnd): void {
    const events = this.#events
    this.#events = undefined
    events?.ended(end)
  }
}

/** V8 aborts when it runs out of memory, and a stack overflow ends in SIGSEGV. */
function causeOf(code: number | null, signal: NodeJS.Signals | null): WorkerEnd['cause'] {
  if (signal === 'SIGKILL') return 'killed'
  const ownLimits: unknown[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP']
  return code === 134 || ownLimits.includes(signal) ? 'memory' : 'other'
}

/** Returns the file of the worker: the bundle, or the source while this runs from source. */
function workerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? 'worker-source.mjs' : 'compose-worker.js'
  return fileURLToPath(new URL(`./${name}`, import.meta.url))
}
