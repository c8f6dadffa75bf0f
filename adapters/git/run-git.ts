import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplex, Readable, Writable } from 'node:stream'
import { hasCode } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import { markHandled } from '../../functions/core/promises.ts'
import { ProgressReader } from './progress.ts'

/** What one run of git may use. */
export interface GitLimits {
  /** Bytes of address space. */
  memory: number
  /** Bytes of the largest file that it writes. */
  file: number
}

export interface GitRun {
  /** The bare repository, an absolute path. */
  repository: string
  /** Begins with the command. Users' text is behind `--end-of-options`. */
  words: readonly string[]
  limits: GitLimits
  /**
   * Text of a configuration file that only this run reads. It never has a name on the disk, so it
   * may contain secrets.
   */
  config?: string
  /** More files that configuration may name as `/proc/self/fd/5` and so on. */
  files?: readonly string[]
  /** A connection to the server, which git has as its descriptor 3. */
  channel?: { readable: Readable; writable: Writable }
  /** Protocols that git may use, such as `https`; '' for none. */
  protocols?: string
  /** The most objects that a pack may have. */
  objects?: number
  signal: AbortSignal
}

/** A run of git. */
export interface RunningGit {
  stdin: Writable
  stdout: Readable
  /** Resolves as soon as all processes of this run have ended. Rejects if git is not installed. */
  ended: Promise<GitEnd>
  kill(): void
}

export interface GitEnd {
  code: number | null
  /** The end of what git said. It may repeat text of the server: do not show it. */
  stderr: string
  /** Whether a pack has more objects than allowed. */
  tooManyObjects: boolean
}

/** The configuration of every run. Nothing else is read but that of our own bare repository. */
const settings = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.protectNTFS': 'true',
  'core.protectHFS': 'true',
  'core.logAllRefUpdates': 'false',
  // Larger objects are streamed, and memory is bounded for all others.
  'core.bigFileThreshold': '1m',
  'core.deltaBaseCacheLimit': '16m',
  'core.packedGitWindowSize': '8m',
  'core.packedGitLimit': '64m',
  'pack.threads': '1',
  'index.threads': '1',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'transfer.fsckObjects': 'true',
  'fetch.fsckObjects': 'true',
  'fetch.unpackLimit': '1',
  'fetch.recurseSubmodules': 'false',
  'submodule.recurse': 'false',
  'transfer.bundleURI': 'false',
  'protocol.version': '2',
  'credential.helper': '',
  'http.followRedirects': 'false',
  'http.sslVerify': 'true',
  'http.proxyAuthMethod': 'basic',
  'http.maxRequests': '1',
} as const

/** Seconds of processor time that one process of git may use. */
const processorTime = 300

/** Descriptors of the child behind the standard ones. */
const descriptors = { channel: 3, config: 4 } as const

/** Starts git as a child that reads no configuration of the system or of a user. */
export function startGit(run: GitRun): RunningGit {
  const opened: number[] = []
  try {
    for (const text of [run.config ?? '', ...(run.files ?? [])]) {
      opened.push(openUnnamed(run.repository, text))
    }
    return watch(spawnGit(run, opened), run)
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

function spawnGit(run: GitRun, opened: readonly number[]): ChildProcess {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(
    'prlimit',
    [
      ...[`--as=${run.limits.memory}`, `--fsize=${run.limits.file}`, `--cpu=${processorTime}`],
      ...['--core=0', '--nofile=256', '--', 'git', `--git-dir=${run.repository}`, ...given],
      ...['-c', `include.path=/proc/self/fd/${descriptors.config}`],
      ...run.words,
    ],
    {
      cwd: '/',
      env: environment(run.protocols ?? ''),
      // A group of its own, so that the helpers of git end with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', run.channel ? 'pipe' : 'ignore', ...opened],
    },
  )
}

const environment = (protocols: string) => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: protocols,
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
})

/**
 * Writes a file that has no name any more when its content comes. A process that is killed leaves
 * nothing of it.
 */
function openUnnamed(directory: string, text: string): number {
  const path = join(directory, `unnamed-${randomBytes(8).toString('hex')}`)
  const descriptor = openSync(path, 'wx+', 0o600)
  try {
    unlinkSync(path)
    writeSync(descriptor, text, 0)
    return descriptor
  } catch (error) {
    // Such as a full disk.
    closeSync(descriptor)
    throw error
  }
}

function watch(child: ChildProcess, { channel, objects, signal }: GitRun): RunningGit {
  const progress = new ProgressReader()
  const kill = () => {
    // Its number is not given to another process before its end was seen.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    killGroup(child.pid)
  }
  // A helper that waits for the server would hold standard error, and the run would not end.
  child.once('exit', () => child.pid !== undefined && killGroup(child.pid))
  let tooManyObjects = false
  child.stderr?.on('data', (chunk: Buffer) => {
    progress.read(chunk)
    if (objects === undefined || progress.objects <= objects) return
    tooManyObjects = true
    kill()
  })
  if (channel) joinTo(child, channel)
  child.stdin?.on('error', ignoreError('write to git'))
  child.stdout?.on('error', ignoreError('read from git'))
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill, { once: true })
  // Callers that are done with the output may never look at the end.
  const ended = markHandled(
    new Promise<GitEnd>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, stderr: progress.rest, tooManyObjects }))
    }).finally(() => signal.removeEventListener('abort', kill)),
  )
  return { stdin: child.stdin as Writable, stdout: child.stdout as Readable, ended, kill }
}

/** Kills all processes of a group. There may be none any more. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

function joinTo(child: ChildProcess, { readable, writable }: NonNullable<GitRun['channel']>): void {
  const pipe = child.stdio[descriptors.channel] as (Duplex & { allowHalfOpen: boolean }) | undefined
  if (!pipe) return
  // Git closes its side as soon as it has asked for everything, and reads on.
  pipe.allowHalfOpen = true
  for (const [from, to] of [
    [readable, pipe],
    [pipe, writable],
  ] as const) {
    from.on('error', () => to.destroy())
    from.pipe(to)
  }
  writable.on('error', () => pipe.destroy())
  // The half that is left open would keep the run from ending.
  child.once('exit', () => pipe.destroy())
}

/**
 * Runs git to its end and returns what it wrote.
 *
 * @param most bytes of output; a run with more is killed
 */
export async function outputOf(
  run: GitRun & { input?: string },
  most: number,
): Promise<GitEnd & { stdout: Buffer; isCut: boolean }> {
  const git = startGit(run)
  git.stdin.end(run.input ?? '')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of git.stdout) {
    bytes += chunk.length
    if (bytes > most) {
      git.kill()
      break
    }
    chunks.push(chunk)
  }
  const end = await git.ended
  return { ...end, stdout: Buffer.concat(chunks), isCut: bytes > most }
}
