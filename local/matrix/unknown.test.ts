import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { call } from '../harness/call.ts'
import { foreign, unlike } from './foreign.ts'
import { callerOf } from './matrix-world.ts'
import { namesHost, placeholdersOf } from './named-objects.ts'
import type { Request } from './request.ts'
import { type Row, rows } from './rows.ts'
import { type Stage, stageOf } from './stage.ts'

/** A route with one of its rows. */
interface Line {
  key: string
  row: Row
  endpoint: AnyEndpoint
}

const lines: Line[] = []
for (const { method, path, load } of routesOf(routes)) {
  const key = `${method} ${path}`
  const { default: endpoint } = await load()
  for (const row of [present(rows[key])].flat()) lines.push({ key, row, endpoint })
}

/** Returns the path of a route up to a placeholder. */
const until = (key: string, name: string) =>
  key.slice(key.indexOf('/'), key.indexOf(`{${name}}`) + name.length + 2)

/** Sends requests of an admin to the endpoint of a line. */
async function adminOf({ key: route, endpoint }: Line, { world, ports }: Stage) {
  const as = { token: await callerOf(world, { role: 'admin' }, 'session') }
  return (request: Request) => call(endpoint, { ...request, route, as, ports: ports as never })
}

/** Expects that a request was refused with 404, changed nothing and is recorded as failed. */
async function expectNotFound(
  { status, text }: Awaited<ReturnType<typeof call>>,
  { key, row, endpoint }: Line,
  { changes, world }: Stage,
) {
  expect([status, text]).toEqual([404, expect.any(String)])
  expect(changes).toEqual([])
  const isAudited = endpoint.facts.changes ?? !key.startsWith('GET ')
  if (!isAudited || row.needs === 'public') return
  const [last] = (await world.ports.audit.list({ limit: 1 })).rows
  expect(last).toMatchObject({ outcome: 'failed', status: 404, username: 'caller' })
}

// Whether there is a hook is told only to who knows its secret.
const tells = ({ key }: Line) => key !== 'POST /hooks/{id}'
const named = lines
  .filter(tells)
  .flatMap((line) => placeholdersOf(line.key).map((placeholder) => ({ ...line, placeholder })))

test.each(named)('404: $key has no other {$placeholder}', async ({ placeholder, ...line }) => {
  const stage = await stageOf(line.row)
  const ask = await adminOf(line, stage)
  const { path, ...rest } = stage.request
  const at = (value: string) => ask({ ...rest, path: { ...path, [placeholder]: value } })
  const place = until(line.key, placeholder)
  const unknown = unlike[`${line.key}: ${placeholder}`]
  const texts = new Set<string>()
  const others = await present(foreign[place], `foreign objects of ${place}`)(stage)
  for (const value of ['no-such', 'constructor', ...others]) {
    stage.changes.length = 0
    const answer = await at(value)
    if (unknown) expect(answer.status).toBe(unknown.status)
    else await expectNotFound(answer, line, stage)
    texts.add(answer.text.replaceAll(value, '…'))
  }
  // What others have is no different from what does not exist.
  expect([...texts]).toHaveLength(1)
  expect((await ask(stage.request)).status).toBe(line.row.ok)
})

test('every path that names something has its objects of others', () => {
  const places = named.map(({ key, placeholder }) => until(key, placeholder))
  expect(Object.keys(foreign).sort()).toEqual([...new Set(places)].sort())
  const keys = named.map(({ key, placeholder }) => `${key}: ${placeholder}`)
  expect(Object.keys(unlike).filter((key) => !keys.includes(key))).toEqual([])
})

/** Returns the request of a line with another host. */
function onHost({ endpoint }: Line, { query, body, ...rest }: Request, host: string): Request {
  return namesHost(endpoint.facts.query)
    ? { ...rest, body, query: { ...query, host } }
    : { ...rest, ...(query && { query }), body: { ...(body as object), host } }
}

/** Names the host of a mail server. */
const ofMail = 'PUT /alert-channels/{id}'

const hostLines = lines.filter(
  ({ key, endpoint: { facts } }) =>
    key !== ofMail && (namesHost(facts.query) || namesHost(facts.body)),
)

test('the routes that take a host are known', () => {
  expect(hostLines.length).toBeGreaterThan(30)
})

test.each(hostLines)('404: $key knows no other host', async (line) => {
  const stage = await stageOf(line.row)
  const ask = await adminOf(line, stage)
  await expectNotFound(await ask(onHost(line, stage.request, 'no-such')), line, stage)
  expect((await ask(stage.request)).status).toBe(line.row.ok)
})

// The name of the host `local`, in full-width capitals.
test.each(hostLines.filter(({ row }) => row.ok < 300))(
  '2xx: $key takes the name of a host in another spelling',
  async (line) => {
    const stage = await stageOf(line.row)
    const ask = await adminOf(line, stage)
    expect((await ask(onHost(line, stage.request, 'ＮＥＡＲ'))).status).toBe(line.row.ok)
  },
)

/** Routes whose objects belong to one host: they are not found on another. */
const onOneHost = hostLines.filter(
  ({ key, endpoint: { facts } }) => key.includes('{id}') && namesHost(facts.query),
)

test.each(onOneHost)('$key: 404 on another host', async (line) => {
  const stage = await stageOf(line.row)
  const ask = await adminOf(line, stage)
  await expectNotFound(await ask(onHost(line, stage.request, 'far')), line, stage)
  expect((await ask(stage.request)).status).toBe(line.row.ok)
})
