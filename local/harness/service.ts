import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askDocker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { boundToParent } from './bound-process.ts'
import { clientProgram } from './client-program.ts'
import { paced } from './pace.ts'
import { recordUnknown } from './unknown-messages.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** A place for the service: a data directory, a table and an admin that outlive its processes. */
export interface Place {
  directory: string
  /** The environment of the service. */
  env: Record<string, string>
  password: string
  /** The directory of the programs; the build by default. */
  programs?: string
  /**
   * Ends the processes started there, and removes their helper containers and the directory. Does
   * each of these also if another one fails. Needs no running service.
   *
   * @throws an error with all that failed, and with unhandled errors that a process logged
   */
  remove(): Promise<void>
  processes: Set<Running>
}

/** A process of the service. */
export interface Running {
  url: string
  /** The address of its feeds, as `ws://host:port`. */
  feeds: string
  child: ChildProcess
  /** Every line that it logged. */
  lines: string[]
  /** Resolves with the exit code, or with the name of the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
}

/** What stands between clients and the services of a test run. */
export interface InFront {
  /** Returns the variables of a service that starts in a place. */
  variables(place: Place): Promise<Record<string, string>>
  /** Returns the address that clients use, once a service of the place listens. */
  open(place: Place, started: Running): Promise<string>
  /**
   * Returns the response to a request of this path from the one that came. `ask` sends further
   * requests of the same caller.
   */
  respond(
    path: string,
    ask: (method: string, path: string) => Promise<Answer>,
    answer: Answer,
  ): Promise<Answer>
  /**
   * Ends what it opened for a place.
   *
   * @throws if something failed there without a response that says so
   */
  close(place: Place): Promise<void>
}

/** A response of the API. `json` is undefined without a body. */
export interface Answer {
  status: number
  headers: Headers
  json: Json
}

/** What is around the services of a test file. */
export interface World {
  /** Returns the directory of a place in its root, which is new and empty. */
  directoryIn(root: string): string
  /** Fills a service that has just got its admin, whose access token is given. */
  fill(place: Place, running: Running, token: string): Promise<void>
}

let inFront: InFront | undefined
let world: World | undefined

/** Puts all places that this process creates from now on into a world, or leaves them empty. */
export function moveInto(given: World | undefined): void {
  world = given
}

/** Returns whether places are in a world, instead of being new and empty. */
export const isInWorld = () => world !== undefined

/** Puts something in front of all services that this process starts from now on. */
export function putInFront(given: InFront): void {
  inFront = given
}

/** Creates a place on the store of the test run. Stacks are in `<directory>/stacks`. */
export function newPlace(env: Record<string, string> = {}): Place {
  const root = mkdtempSync(join(tmpdir(), 'container-stacks-place-'))
  const directory = world?.directoryIn(root) ?? root
  mkdirSync(join(directory, 'stacks'))
  const processes = new Set<Running>()
  const place: Place = {
    directory,
    password: randomBytes(12).toString('hex'),
    processes,
    env: {
      SERVICE_PORT: '0',
      SERVICE_AGENT_PORT: '0',
      SERVICE_DATA_DIR: join(directory, 'data'),
      SERVICE_STACKS_DIR: join(directory, 'stacks'),
      SERVICE_SETUP_SECRET: randomBytes(12).toString('hex'),
      SERVICE_DYNAMODB_TABLE: `place-${randomBytes(6).toString('hex')}`,
      ...env,
    },
    async remove() {
      const failures: unknown[] = []
      const attempt = async (step: () => unknown) => {
        try {
          await step()
        } catch (error) {
          failures.push(error)
        }
      }
      for (const { child, ended } of processes) {
        await attempt(() => child.kill('SIGKILL'))
        await attempt(() => ended)
      }
      await attempt(() => inFront?.close(place))
      await attempt(() => removeHelpers(directory))
      await attempt(() => rmSync(root, { recursive: true, force: true }))
      const unhandled = [...processes].flatMap(({ lines }) => lines.filter(isUnhandled))
      if (unhandled.length > 0)
        failures.push(new Error(`nothing handled this:\n${unhandled.join('\n')}`))
      if (failures.length > 0) {
        const reasons = failures.map((error) => (error instanceof Error ? error.message : error))
        throw new AggregateError(failures, reasons.join('\n'))
      }
    },
  }
  return place
}

/** Matches lines of the service and of the agent. */
const isUnhandled = (line: string) =>
  /^(\{.*"message":")?(unhandled rejection|uncaught exception)\b/.test(line)

const helpers = ['ps', '-aq', '--no-trunc', '--filter', 'label=container-stacks.internal']
const mounts = '{{.Id}}{{range .Mounts}}\t{{.Source}}{{end}}'

/** Removes the helper containers that killed services used for files below a directory. */
async function removeHelpers(directory: string): Promise<void> {
  const all = (await askDocker(...helpers)).split('\n').filter(Boolean)
  if (all.length === 0) return
  const listed = await askDocker('inspect', '--format', mounts, ...all).catch((error) => {
    // Helpers of other tests come and go meanwhile.
    if (/No such object/.test(error.stderr)) return String(error.stdout)
    throw error
  })
  const isBelow = (path: string) => path === directory || path.startsWith(`${directory}/`)
  const left = listed
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, ...sources]) => sources.some(isBelow))
  if (left.length > 0) await askDocker('rm', '-f', ...left.map(([id = '']) => id))
}

/**
 * Starts the built service in a place and waits until it listens. Throws with its output if it
 * exits first.
 *
 * @param words command-line arguments
 */
export async function startIn(place: Place, words: readonly string[] = []): Promise<Running> {
  const variables = (await inFront?.variables(place)) ?? place.env
  const program = join(place.programs ?? dist, 'service.js')
  const child = spawn(...boundToParent(process.execPath, [program, ...words]), {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 0))
  })
  const port = await new Promise<number>((resolve, reject) => {
    let rest = ''
    const read = (chunk: Buffer) => {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      recordUnknown(parts)
      const listening = parts.find((line) => line.includes('"the service listens"'))
      if (listening) resolve(JSON.parse(listening).port)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', (chunk) => lines.push(...String(chunk).split('\n')))
    ended.then((code) => reject(new Error(`the service ended with ${code}:\n${lines.join('\n')}`)))
  })
  const address = `127.0.0.1:${port}`
  const running = { url: `http://${address}`, feeds: `ws://${address}`, child, lines, ended }
  place.processes.add(running)
  if (inFront) running.url = await inFront.open(place, running)
  return running
}

interface Sent {
  body?: unknown
  token?: string
}

/** Calls the API, with `token` as the credential if given. */
export async function api(
  running: Pick<Running, 'url'>,
  method: string,
  path: string,
  { body, token }: Sent = {},
): Promise<Answer> {
  const answer = await send(running, method, path, { body, token })
  if (!inFront || /[?&]wait=false/.test(path)) return answer
  return inFront.respond(path, (...words) => send(running, ...words, { token }), answer)
}

async function send(
  { url }: Pick<Running, 'url'>,
  method: string,
  path: string,
  { body, token }: Sent,
): Promise<Answer> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    json: text ? JSON.parse(text) : undefined,
  }
}

/** Creates the first admin of a place. Returns an access token. */
export async function setUpAdmin(
  place: Pick<Place, 'env' | 'password'>,
  running: Pick<Running, 'url'>,
): Promise<string> {
  const secret = place.env.SERVICE_SETUP_SECRET
  const body = { secret, username: 'admin', password: place.password }
  const made = await api(running, 'POST', '/setup', { body })
  if (made.status !== 201) throw new Error(`set-up: ${made.status} ${JSON.stringify(made.json)}`)
  const token = await logIn(place, running)
  // Some places are not on this machine, and some services are not in a process of this test.
  if ('directory' in place && 'child' in running)
    await world?.fill(place as Place, running as Running, token)
  return token
}

/** Logs in as the admin. Returns the access token of a new session. */
export async function logIn(
  place: Pick<Place, 'password'>,
  running: Pick<Running, 'url'>,
): Promise<string> {
  const body = { username: 'admin', password: place.password }
  return (await api(running, 'POST', '/auth/login', { body })).json.access_token
}

/** Runs the built client, or the one that `CLI_EXECUTABLE` names, with its configuration here. */
export async function cli(
  place: Place,
  args: string[],
  { input = '', directory }: { input?: string; directory?: string } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const executable = place.programs ? undefined : clientProgram()
  const program = executable ? [] : [join(place.programs ?? dist, 'cli.js')]
  const child = spawn(...boundToParent(executable ?? process.execPath, [...program, ...args]), {
    cwd: directory,
    env: { ...process.env, HOME: place.directory },
  })
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk
  })
  child.stdin.end(input)
  const code = await new Promise<number>((resolve) => child.once('close', (it) => resolve(it ?? 1)))
  return { code, ...out }
}

/** How long `until` asks every 50 ms. After that it asks less often, because asking costs time. */
const eager = 5000

/**
 * Polls until the answer satisfies `wanted`. Throws with the last answer after `seconds`, more on a
 * slow machine, which is no promise of the service: it only ends a test that hangs.
 */
export async function until<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  seconds = 90,
): Promise<T> {
  const begin = Date.now()
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    const waited = Date.now() - begin
    if (waited > paced(seconds) * 1000)
      throw new Error(`not so after ${paced(seconds)} s: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, waited < eager ? 50 : 300))
  }
}
