import { readFileSync } from 'node:fs'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { withRetries } from '../harness/with-retries.ts'
import type { FuzzCase } from './cases.ts'
import { type HealthResults, probeHealth } from './health-probe.ts'

/** The results of one class of cases. */
export interface ClassResult {
  cases: number
  /** Status → count, of saving and planning. */
  statuses: Record<string, number>
  slowest: number
}

export interface FuzzResult {
  classes: Record<string, ClassResult>
  /** Cases with an improper response, with that response. */
  findings: string[]
  health: HealthResults
  /** Resident memory of the service without its worker, in MiB. */
  memory: { before: number; most: number; after: number }
}

/** The service with a stack that an operator changes and a viewer plans. */
interface Target {
  running: Running
  operator: string
  viewer: string
}

/** The proper statuses: success, or a rejection with a reason. */
const proper = new Set([200, 201, 400, 403, 409, 422])

/** Saves and plans each case, one after the other, until there are no more or the time is up. */
export async function fuzz(cases: Iterable<FuzzCase>, end: number): Promise<FuzzResult> {
  const place = newPlace()
  try {
    const running = await startIn(place)
    const admin = await setUpAdmin(place, running)
    const target = { running, operator: admin, viewer: await makeViewer(running, admin) }
    const body = { name: 'fuzz', compose: 'services: {a: {image: x}}' }
    await api(running, 'POST', '/stacks', { token: admin, body })
    return await tryAll(cases, end, target)
  } finally {
    await place.remove()
  }
}

/** Creates a user who may only read stacks. Returns their access token. */
export async function makeViewer(
  running: Running,
  admin: string,
  username = 'viewer',
): Promise<string> {
  const password = 'a long enough password'
  const body = { username, password, role: 'viewer' }
  const made = await api(running, 'POST', '/users', { token: admin, body })
  if (made.status !== 201) throw new Error(`the viewer could not be made: ${made.status}`)
  const login = await api(running, 'POST', '/auth/login', { body: { username, password } })
  return login.json.access_token
}

async function tryAll(cases: Iterable<FuzzCase>, end: number, target: Target): Promise<FuzzResult> {
  const memoryNow = () => residentMegabytes(target.running.child.pid ?? 0)
  const result: Omit<FuzzResult, 'health'> = {
    classes: {},
    findings: [],
    memory: { before: memoryNow(), most: 0, after: 0 },
  }
  const stop = await probeHealth(target.running.url)
  let ended = false
  target.running.ended.then(() => {
    ended = true
  })
  for (const one of cases) {
    if (performance.now() > end || ended) break
    await tryOne(one, target, result)
    result.memory.most = Math.max(result.memory.most, memoryNow())
  }
  if (ended) result.findings.push('the service ended')
  const health = await stop()
  if (health.failed > 0) result.findings.push(`/health failed ${health.failed} times`)
  result.memory.after = memoryNow()
  return { ...result, health }
}

async function tryOne(one: FuzzCase, target: Target, result: Omit<FuzzResult, 'health'>) {
  const { running, operator, viewer } = target
  const found = result.classes[one.class] ?? { cases: 0, statuses: {}, slowest: 0 }
  result.classes[one.class] = found
  found.cases += 1
  const ask = async (what: string, call: () => ReturnType<typeof api>) => {
    const begin = performance.now()
    const { status, json } = await withRetries(call).catch((error) => ({
      status: 0,
      json: { error: String(error) },
    }))
    found.slowest = Math.max(found.slowest, performance.now() - begin)
    found.statuses[`${what} ${status}`] = (found.statuses[`${what} ${status}`] ?? 0) + 1
    if (!proper.has(status)) result.findings.push(`${what} ${status}: ${one.name}: ${json?.error}`)
    return status
  }
  const body = { compose: one.compose }
  const saved = await ask('save', () =>
    api(running, 'PUT', '/stacks/fuzz', { token: operator, body }),
  )
  if (saved !== 200) return
  await ask('plan', () => api(running, 'POST', '/stacks/fuzz/plan', { token: viewer, body: {} }))
}

function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
