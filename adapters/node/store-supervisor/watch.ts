import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { ignoreAbort } from '../../../functions/core/promises.ts'
import { StartError } from '../process/start-error.ts'
import { jarName } from './install.ts'
import { recordOwner } from './owner.ts'

/** How long a start may take. Milliseconds. */
const startDeadline = 30_000
/** The pauses before restarts. A store that ran for a minute resets them. Milliseconds. */
const pauses = [0, 250, 1000, 3000, 10_000]

/** The store to watch, and how long it may hang. */
export interface Watch {
  /** The directory of the program. */
  installed: string
  directory: string
  port: number
  /** How long a store may hang before it is killed. Milliseconds. */
  hangDeadline: number
  onEvent: (event: string) => void
}

/** A store that is restarted until it is stopped. */
export interface WatchedStore {
  pid(): number | undefined
  stop(): Promise<void>
}

/** Starts a store and resolves when it responds. Throws if it does not start. */
export async function watchedStore(options: Watch): Promise<WatchedStore> {
  const { installed, directory, port, onEvent } = options
  const stopping = new AbortController()
  const start = () => launch(installed, directory, port)
  let child = await start()
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const watch = async () => {
    for (let failures = 0; ; ) {
      const began = performance.now()
      const reason = await endOf(child, options, stopping.signal)
      if (stopping.signal.aborted) return
      failures = performance.now() - began > 60_000 ? 0 : failures
      onEvent(`The store ${reason}; it is restarted`)
      const next = await relaunch(start, stopping.signal, failures++)
      if (!next) return
      child = next
      onEvent('The store is back')
    }
  }
  const watching = watch()
  return {
    pid: () => (isAlive(child) ? child.pid : undefined),
    async stop() {
      stopping.abort()
      process.off('exit', kill)
      await watching
      await end(child)
    },
  }
}

/**
 * Starts the JVM in a process group of its own, so that Ctrl+C in a terminal does not kill the
 * store while the service still drains. If `setpriv` is installed, the JVM dies with this process,
 * however that ends.
 */
async function launch(installed: string, directory: string, port: number): Promise<ChildProcess> {
  const java = [
    'java',
    ...['-Xmx128m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
    `-Djava.library.path=${join(installed, 'DynamoDBLocal_lib')}`,
    ...['-jar', join(installed, jarName), '-port', String(port)],
    ...['-dbPath', directory, '-disableTelemetry'],
  ]
  const [command = '', ...words] = [...dieWithParent(), ...java]
  const { PATH, HOME, JAVA_HOME } = process.env
  const child = spawn(command, words, {
    cwd: directory,
    detached: true,
    // Without it Java knows no paths with other letters than those of English.
    env: { PATH, HOME, JAVA_HOME, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-2000)
  })
  child.once('error', (error) => {
    said += error.message
  })
  if (child.pid) recordOwner(directory, child.pid)
  try {
    await ready(child, port)
  } catch {
    await end(child)
    throw new StartError(`DynamoDB Local did not start on port ${port}. ${said.trim()}`)
  }
  return child
}

function dieWithParent() {
  const known = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  return known ? [known, '--pdeathsig', 'KILL'] : []
}

/** Tries until the store is up. Returns undefined if it is stopped meanwhile. */
async function relaunch(start: () => Promise<ChildProcess>, signal: AbortSignal, failures: number) {
  for (let tries = failures; !signal.aborted; tries++) {
    const pause = pauses[Math.min(tries, pauses.length - 1)]
    await delay(pause, undefined, { signal }).catch(ignoreAbort)
    if (signal.aborted) return undefined
    const child = await start().catch(ignoreError('start the store again'))
    if (child) return child
  }
  return undefined
}

/**
 * Waits until the store exits or hangs. Returns which of them, or returns early when it is being
 * stopped.
 */
async function endOf(
  child: ChildProcess,
  { port, hangDeadline }: Watch,
  signal: AbortSignal,
): Promise<string> {
  let answered = performance.now()
  while (isAlive(child) && !signal.aborted) {
    if (await answers(port)) answered = performance.now()
    else if (performance.now() - answered > hangDeadline) {
      await end(child, 'SIGKILL')
      return 'stopped responding'
    }
    await untilExit(child, 2000, signal)
  }
  return `ended (${child.signalCode ?? child.exitCode})`
}

async function ready(child: ChildProcess, port: number) {
  const giveUpAt = performance.now() + startDeadline
  while (!(await answers(port))) {
    if (!isAlive(child) || performance.now() > giveUpAt) throw new Error('not ready')
    await untilExit(child, 50)
  }
}

/** Returns whether the store responds: DynamoDB Local answers a plain GET with 400. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, timeout: 2000, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 400)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
    request.on('close', () => resolve(false))
  })
}

const isAlive = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

/**
 * Resolves when the process exits, after `milliseconds` or at the signal, whichever comes first.
 */
function untilExit(child: ChildProcess, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      child.off('exit', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    child.once('exit', done)
    signal?.addEventListener('abort', done)
    if (!isAlive(child) || signal?.aborted) done()
  })
}

/**
 * Ends the process, with SIGKILL after five seconds. Every acknowledged write is on disk either
 * way.
 */
async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (!isAlive(child)) return
  child.kill(signal)
  await untilExit(child, 5000)
  child.kill('SIGKILL')
  while (isAlive(child)) await untilExit(child, 1000)
}
