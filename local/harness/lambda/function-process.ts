import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { boundToParent } from '../bound-process.ts'
import { type Ended, type RuntimeApi, startRuntimeApi } from './runtime-api.ts'

const runtime = fileURLToPath(new URL('runtime-client.mjs', import.meta.url))

/** A function: the directory with its unpacked archive, and its environment. */
export interface FunctionOptions {
  directory: string
  environment: Record<string, string>
  /** Seconds that a call may take. The default is that of the deployment. */
  timeout?: number
}

/** A function that is called as on Lambda. */
export interface CalledFunction {
  /** Calls the function with an event. Starts a process if none can serve the call. */
  call(event: string): Promise<Ended>
  /** What its processes have written, standard output and error, and how calls failed. */
  output(): string
  /** Kills its processes, as Lambda does after a while without calls. Calls in progress fail. */
  end(): Promise<void>
}

/** A function with one process at a time. Calls wait for each other. */
export interface RunningFunction extends CalledFunction {
  /** Returns the process of the function, if it runs. */
  pid(): number | undefined
}

interface Started {
  child: ChildProcess
  api: RuntimeApi
  /** Resolves when the process has ended, however. */
  killed: Promise<Ended>
}

/**
 * Returns a function with one process at a time, which is stopped between calls (SIGSTOP) with all
 * that it has started.
 */
export function lambdaFunction({
  directory,
  environment,
  timeout = 29,
}: FunctionOptions): RunningFunction {
  let started: Started | undefined
  /** The number of times that it was ended, to notice an end during a start. */
  let ends = 0
  let output = ''
  let last: Promise<unknown> = Promise.resolve()

  const start = async (): Promise<Started> => {
    const api = await startRuntimeApi()
    const child = spawn(...boundToParent(process.execPath, [runtime]), {
      cwd: directory,
      env: { ...environment, LAMBDA_TASK_ROOT: directory, AWS_LAMBDA_RUNTIME_API: api.address },
      // Signals go to the group, so that they reach its children too.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const write = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', write)
    child.stderr.on('data', write)
    const killed = once(child, 'exit').then((): Ended => ({ error: 'Runtime exited' }))
    return { child, api, killed }
  }
  const end = async () => {
    ends += 1
    const ending = started
    started = undefined
    if (!ending) return
    ending.api.close()
    if (ending.child.exitCode !== null || ending.child.signalCode !== null) return
    signal(ending.child, 'SIGKILL')
    await ending.killed
  }
  const callOnce = async (event: string): Promise<Ended> => {
    const isCold = started === undefined
    const endsBefore = ends
    started ??= await start()
    if (ends !== endsBefore) {
      await end()
      return { error: 'Runtime exited' }
    }
    const { child, api, killed } = started
    if (!isCold) signal(child, 'SIGCONT')
    try {
      // Lambda allows 10 s more for the start.
      await Promise.race([api.waiting(), killed])
    } catch (error) {
      await end()
      return { error: `Init: ${(error as Error).message}` }
    }
    const late = lateness(timeout)
    const deadline = Date.now() + timeout * 1000
    const ended = await Promise.race([api.call(event, deadline), killed, late.ended])
    late.stop()
    if ('error' in ended && isEnd(ended.error)) await end()
    else {
      await Promise.race([api.waiting(), killed])
      signal(child, 'SIGSTOP')
    }
    return ended
  }
  return {
    call(event) {
      const one = last.then(async () => {
        const ended = await callOnce(event)
        if ('error' in ended) output += `${ended.error}\n`
        return ended
      })
      last = one.catch(() => {})
      return one
    },
    output: () => output,
    pid: () => started?.child.pid,
    end,
  }
}

/** The error of a call that took too long. */
export const timedOut = 'Task timed out'

const isEnd = (error: string) => error === timedOut || error === 'Runtime exited'

function lateness(seconds: number) {
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<Ended>((resolve) => {
    timer = setTimeout(() => resolve({ error: timedOut }), seconds * 1000)
  })
  return { ended, stop: () => clearTimeout(timer) }
}

/** Does nothing if the process has ended. */
function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, name)
  } catch (error) {
    // It has ended, and its exit was not reported yet.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
