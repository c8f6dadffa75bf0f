import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../adapters/node/store-supervisor/free-port.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { type Program, startNode } from './process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The flags of Node.js in `npm start`. */
const flags = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config.node
/** The user that `signIn` creates. */
export const admin = { username: 'bench', password: 'a password for benchmarks' }
const setupSecret = 'the-secret-of-a-benchmark-run'

/** The built service in a process of its own. */
export interface Service extends Program {
  port: number
  /** Milliseconds from its start to the first 200 of `GET /health`. */
  readyAfter: number
  /** Calls the API. Throws if the response is not a success. */
  call(method: string, path: string, body?: unknown): Promise<Json>
  /** The access token that `call` sends. Undefined before `signIn`. */
  token: string | undefined
  signIn(): Promise<void>
  /**
   * Loads everything that the service otherwise loads a moment after its start, which takes 40 MiB.
   * Call it after `signIn`.
   */
  warm(): Promise<void>
}

/** Creates a data directory for a run. */
export function dataDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'container-stacks-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Bundles the service as it is shipped. */
export function buildService(): void {
  execFileSync(process.execPath, ['packaging/build/build.mjs'], { cwd: root, stdio: 'inherit' })
}

/** Starts the service on a data directory and waits until it is healthy. */
export async function startService(
  data: string,
  env: Record<string, string> = {},
): Promise<Service> {
  const port = await freePort()
  const begin = performance.now()
  const settings = {
    SERVICE_DATA_DIR: data,
    SERVICE_PORT: String(port),
    SERVICE_AGENT_PORT: '0',
    SERVICE_STACKS_DIR: join(data, 'stacks'),
    SERVICE_SETUP_SECRET: setupSecret,
  }
  const program = startNode(
    [flags, join(root, 'dist/service.js')],
    { ...settings, ...env },
    join(data, 'service.log'),
  )
  await Promise.race([answers(`http://127.0.0.1:${port}/api/v1/health`), program.failed])
  const service: Service = {
    ...program,
    port,
    readyAfter: performance.now() - begin,
    token: undefined,
    call: (method, path, body) => call(service, method, path, body),
    async signIn() {
      await call(service, 'POST', '/setup', { secret: setupSecret, ...admin }).catch(() => {})
      service.token = (await call(service, 'POST', '/auth/login', admin)).access_token
    },
    async warm() {
      const compose = 'services: {warm: {image: warm}}'
      await call(service, 'POST', '/stacks', { name: 'warm', compose })
      await call(service, 'DELETE', '/stacks/warm')
    },
  }
  return service
}

async function call({ port, token }: Service, method: string, path: string, body?: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Resolves at the first 200 of a URL. Throws after a minute. */
export async function answers(url: string, headers: Record<string, string> = {}): Promise<void> {
  const end = Date.now() + 60_000
  while ((await statusOf(url, headers)) !== 200) {
    if (Date.now() > end) throw new Error(`${url} did not respond with 200 within a minute`)
    await pause(2)
  }
}

const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', () => resolve(undefined))
  })
