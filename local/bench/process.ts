import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of the kernel per second (`USER_HZ`), the same on every Linux. */
const ticks = 100

/** A program that is measured, its output in a file. */
export interface Program {
  pid: number
  /** Rejects, with the end of its log, when it ends by itself; never resolves. */
  failed: Promise<never>
  /** Ends it as an operator would; resolves when it is gone. */
  stop(): Promise<void>
}

/** What `npm start` sets for the service, and the agent's unit for the agent. */
const asStarted = { MALLOC_ARENA_MAX: '1' }

/** Starts a Node program with its output in the file `log`. */
export function startNode(args: string[], env: Record<string, string>, log: string): Program {
  const output = openSync(log, 'a')
  const child = spawn(process.execPath, args, {
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

/** The environment without settings of a service that may be configured in it. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_')),
  )
}

/** Seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/** Resident memory of a process in MiB. */
export function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** The processes that a process has started, and those that these have started. */
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

/** The fields of /proc/<pid>/stat from the third on: the second, a name, may hold blanks. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
