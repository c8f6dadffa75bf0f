import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { internalError } from '../../functions/core/errors.ts'
import { actionOf } from '../../functions/kit/audit-row.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { type CallResult, call } from '../harness/call.ts'
import { type Effect, effects, fill, type Reader, unseen } from './effects.ts'
import { callerOf } from './matrix-world.ts'
import { type Row, rows } from './rows.ts'
import { type Stage, stageOf } from './stage.ts'

/** A route that changes something, with its first row. */
interface Change {
  key: string
  row: Row
  endpoint: AnyEndpoint
}

const all = routesOf(routes)
const changing: Change[] = []
for (const { method, path, load } of all) {
  const key = `${method} ${path}`
  const { default: endpoint } = await load()
  const row = present([present(rows[key])].flat()[0])
  if (endpoint.facts.changes ?? method !== 'GET') changing.push({ key, row, endpoint })
}

/** Returns the endpoint of an address, and the request for it. */
async function readRequest(address: string) {
  const { pathname, searchParams } = new URL(address, 'http://a')
  const words = pathname.split('/')
  const isRoute = (path: string) => {
    const its = path.split('/')
    return its.length === words.length && its.every((one, at) => isPart(one, words[at]))
  }
  const found = all.filter(({ method, path }) => method === 'GET' && isRoute(path))
  const [{ path, load }] = [present(found.sort(fewestPlaceholders)[0], address)]
  const names = path.split('/').map((one) => /^\{(\w+)\}$/.exec(one)?.[1])
  const given = names.flatMap((name, at) =>
    name ? [[name, decodeURIComponent(present(words[at]))] as const] : [],
  )
  const { default: endpoint } = await load()
  const route = `GET ${path}`
  return {
    endpoint,
    route,
    path: Object.fromEntries(given),
    query: Object.fromEntries(searchParams),
  }
}

const isPart = (pattern: string, word: string | undefined) =>
  pattern.startsWith('{') || pattern === word
const fewestPlaceholders = (a: { path: string }, b: { path: string }) =>
  a.path.split('{').length - b.path.split('{').length

/** Returns what a reader shows now as a text. Empty if its address is not known yet. */
async function readAs(token: string, reader: Reader, { world }: Stage, values: Json) {
  if (typeof reader !== 'string') return JSON.stringify(await reader(world))
  const address = fill(reader, values)
  if (address === undefined) return ''
  const { endpoint, ...request } = await readRequest(address)
  const answer = await call(endpoint, { ...request, as: { token }, ports: world.ports as never })
  return answer.text
}

async function changed(change: Change, effect: Partial<Effect> = {}) {
  const stage = await stageOf(change.row)
  await effect.given?.(stage)
  const { world, request } = stage
  const token = await callerOf(world, { role: 'admin' }, 'session')
  // Later, so that times differ.
  const ask = () => {
    world.ports.clock.advance(1000)
    const body = effect.body ?? request.body
    const as = change.row.needs === 'public' ? undefined : { token }
    const ports = world.ports as never
    return call(change.endpoint, { ...request, body, route: change.key, as, ports })
  }
  return { stage, token, ask }
}

/** Returns the newest audit row of a change. */
async function lastRow({ key }: Change, { world: { ports } }: Stage) {
  await ports.audit.flush()
  const { rows: found } = await ports.audit.list({ action: actionOf(key), limit: 1 })
  return found[0]
}

test('every change has a reader, or a reason why nothing shows it', () => {
  const known = [...Object.keys(effects), ...Object.keys(unseen)]
  expect(known.sort()).toEqual(changing.map(({ key }) => key).sort())
})

const seen = changing.flatMap((change) => {
  const effect = effects[change.key]
  return effect ? [{ ...change, effect }] : []
})

test.each(seen)('2xx: $key can be seen afterwards, and its audit row says so', async (line) => {
  const { effect, ...change } = line
  const { stage, token, ask } = await changed(change, effect)
  const { path } = stage.request
  const before = await readAs(token, effect.reader, stage, path)
  const answer = await ask()
  expect([answer.status, answer.text]).toEqual([change.row.ok, answer.text])
  const row = await lastRow(change, stage)
  expect(row).toMatchObject({ outcome: 'succeeded', status: answer.status })
  await stage.world.ports.background.settled()
  const values = { ...answer.json, ...path }
  const after = await readAs(token, effect.reader, stage, values)
  expect(after).not.toBe(before)
  const { shows: shown = '', hides: hidden = '' } = effect
  if (shown)
    expect([before, after]).toEqual([expect.not.stringContaining(shown), containing(shown)])
  const gone = present(fill(hidden, values))
  if (gone) expect([before, after]).toEqual([containing(gone), expect.not.stringContaining(gone)])
})

const containing = (text: string) => expect.stringContaining(text)

/** Returns whether a response says that the work failed. */
const saysFailed = ({ status, json }: CallResult) => status >= 400 || json?.status === 'failed'

const troubles: [string, (stage: Stage) => void][] = [
  [
    'every step fails',
    ({ world: { engine } }) => {
      engine.failing = () => internalError('the disk is full')
    },
  ],
  [
    'the host is offline',
    ({ world: { engine } }) => {
      engine.offline = internalError('host local: it does not respond', { reason: 'host-offline' })
    },
  ],
]

test.each(troubles)('audit rows say how a change ended: %s', async (_name, cause) => {
  const failed: string[] = []
  for (const change of changing) {
    const { stage, ask } = await changed(change, effects[change.key])
    cause(stage)
    const answer = await ask()
    if (saysFailed(answer)) failed.push(change.key)
    if (answer.status >= 400 && change.row.needs === 'public') continue
    const row = await lastRow(change, stage)
    const outcome = saysFailed(answer) ? 'failed' : 'succeeded'
    expect([change.key, row?.outcome, row?.status]).toEqual([change.key, outcome, answer.status])
  }
  // Without failures, this would say nothing.
  expect(failed.length).toBeGreaterThan(8)
})

test.each(changing.filter(({ row }) => row.least))(
  '403: the audit row of $key says that it was refused',
  async (change) => {
    const { stage } = await changed(change)
    const { world, request } = stage
    const token = await callerOf(world, { role: 'empty' }, 'session')
    const ports = world.ports as never
    const given = { ...request, route: change.key, as: { token }, ports }
    expect((await call(change.endpoint, given)).status).toBe(403)
    expect(await lastRow(change, stage)).toMatchObject({ outcome: 'refused', status: 403 })
  },
)
