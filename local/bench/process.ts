import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of the kernel per second (`USER_HZ`), the same on every Linux. */
const ticks = 100

/** A measured program. Its output goes to a file. */
export interface Program {
  pid: number
  /** Rejects with the end of the log if the program ends before `stop`. Never resolves. */
  failed: Promise<never>
  /** Sends SIGTERM, as an operator would. Resolves when the process has ended. */
  stop(): Promise<void>
}

/** The same variable as in `npm start` and in the agent's systemd unit. */
const asStarted = { MALLOC_ARENA_MAX: '1' }

/**
 * Starts a Node program and appends its output to the file `log`.
 *
 * @param prefix words in front of the command line, such as `nsenter …`, which replace themselves
 */
export function startNode(
  args: string[],
  env: Record<string, string>,
  log: string,
  prefix: readonly string[] = [],
): Program {
  const output = openSync(log, 'a')
  const [command = process.execPath, ...words] = [...prefix, process.execPath, ...args]
  const child = spawn(command, words, {
    env: { ...asStarted, ...cleanEnvironment(), ...env },
    stdio: ['ignore', output, output],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const failed = once(child, 'exit').then(([code, signal]) => {
    if (stopping.has(child)) return new Promise<never>(() => {})
    throw new Error(`${args[0]} ended (${code ?? signal}):\n${tail(log)}`)
  })
  failed.catch(() => {})
  return {
    pid: child.pid ?? 0,
    failed,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      stopping.add(child)
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const tail = (file: string) => readFileSync(file, 'utf8').slice(-2000)

const stopping = new WeakSet<ChildProcess>()
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Returns the environment without the settings of a service. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_')),
  )
}

/** Returns the seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/**
 * Returns the seconds of processor time of the programs that a process started and that have ended,
 * and of those that these started.
 */
export function endedSeconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[13]) + Number(fields[14])) / ticks
}

/** Returns the resident memory of a process in MiB. */
export function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** Returns the IDs of all descendants of a process. */
export function descendants(pid: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const children = all.filter((one) => {
    try {
      return Number(statOf(one)[1]) === pid
    } catch {
      return false
    }
  })
  return children.flatMap((child) => [child, ...descendants(child)])
}

/**
 * Returns the fields of /proc/<pid>/stat from the third on. The second, a name, may contain spaces.
 */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
