import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { call } from '../harness/call.ts'
import { fills, otherwise } from './caps.ts'
import { callerOf } from './matrix-world.ts'
import type { Request } from './request.ts'
import { type Row, rows } from './rows.ts'
import { type Stage, stageOf } from './stage.ts'

interface Schema {
  maxItems?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}

/** Returns the most entries of a list, alone or in `items`. Undefined for another response. */
function capOf(schema: Schema): number | undefined {
  if (schema.anyOf) return schema.anyOf.map(capOf).find((cap) => cap !== undefined)
  return schema.maxItems
}

interface List {
  key: string
  cap: number
  endpoint: AnyEndpoint
  row: Row
}

const lists: List[] = []
for (const { method, path, load } of routesOf(routes)) {
  const { default: endpoint } = await load()
  const { returns } = endpoint.facts
  if (method !== 'GET' || !returns) continue
  const cap = capOf(z.toJSONSchema(returns, { unrepresentable: 'any' }) as Schema)
  const key = `GET ${path}`
  if (cap) lists.push({ key, cap, endpoint, row: present([present(rows[key])].flat()[0]) })
}

test('every list can be filled, or has a reason why it cannot', () => {
  const known = [...Object.keys(fills), ...Object.keys(otherwise)]
  expect(known.sort()).toEqual(lists.map(({ key }) => key).sort())
})

/** Lists over hosts are read from one and from all of them. */
const filled = lists.flatMap((list) => {
  const fill = fills[list.key]
  const { query } = list.endpoint.facts
  const isOverHosts = query && Object.hasOwn(query.shape, 'host') && !list.key.includes('{')
  const queries: Request['query'][] = isOverHosts ? [{ host: 'local' }, { host: 'all' }] : [{}]
  return fill ? queries.map((given) => ({ ...list, fill, given })) : []
})

type Filled = (typeof filled)[number]

const entriesOf = (json: unknown): Json[] =>
  Array.isArray(json) ? json : (json as { items: Json[] }).items

/** Returns a list as an admin reads it: its entries, and whether it says that it was cut. */
async function readerOf({ key: route, endpoint, given }: Filled, { world, request }: Stage) {
  const as = { token: await callerOf(world, { role: 'admin' }, 'session') }
  return async (more: Request['query'] = {}) => {
    const query = { ...request.query, ...given, ...more }
    const asked = { ...request, query, route, as, ports: world.ports as never }
    const { status, json, headers } = await call(endpoint, asked)
    expect(status).toBe(200)
    const [, address] = /^<\?(.*)>; rel="next"$/.exec(headers.link ?? '') ?? []
    const next = address === undefined ? undefined : new URLSearchParams(address)
    return { entries: entriesOf(json), isCut: headers['x-result-truncated'] === 'true', next }
  }
}

test.each(filled)('200: $key has $cap entries and says if there are more: $given', async (list) => {
  const { cap } = list
  const stage = await stageOf(list.row)
  const read = await readerOf(list, stage)
  const add = await list.fill(stage)
  const first = (await read()).entries.length
  for (let at = first; at < cap; at += 1) await add(at)
  const whole = await read()
  expect([whole.entries.length, whole.isCut]).toEqual([cap, false])
  await add(cap)
  const cut = await read()
  expect([cut.entries.length, cut.isCut]).toEqual([cap, true])
})

const timed = filled.filter(({ endpoint }) => {
  const { query } = endpoint.facts
  return query && Object.hasOwn(query.shape, 'until')
})

test('four lists are read to the end by time', () => {
  expect(timed).toHaveLength(4)
})

const named = filled.filter(({ endpoint }) => {
  const { query } = endpoint.facts
  return query && Object.hasOwn(query.shape, 'after')
})

test('twelve lists are read to the end by name', () => {
  expect(new Set(named.map(({ key }) => key)).size).toBe(12)
})

test.each(named)('200: $key loses nothing from one part to the next: $given', async (list) => {
  const stage = await stageOf(list.row)
  const read = await readerOf(list, stage)
  const add = await list.fill(stage)
  const count = list.cap * 2 + 1
  const first = (await read()).entries.length
  for (let at = first; at < count; at += 1) await add(at)
  const found: Json[] = []
  for (let part = await read(); ; part = await read(Object.fromEntries(present(part.next)))) {
    found.push(...part.entries)
    if (!part.next) break
  }
  expect(found).toHaveLength(count)
  expect(new Set(found.map((entry) => JSON.stringify(entry))).size).toBe(count)
})

const timeOf = ({ at, time, started_at }: Json): number =>
  Date.parse(present(at ?? time ?? started_at))

test.each(timed)('200: $key loses nothing from one page to the next', async (list) => {
  const stage = await stageOf(list.row)
  const read = await readerOf(list, stage)
  const add = await list.fill(stage)
  const count = list.cap * 2 + 1
  for (let at = (await read()).entries.length; at < count; at += 1) await add(at)
  const found = new Set<string>()
  let page = await read()
  for (;;) {
    for (const { id, sequence } of page.entries) found.add(id ?? sequence)
    if (!page.isCut) break
    const last = timeOf(present(page.entries.at(-1)))
    page = await read({ until: new Date(last + 1).toISOString() })
  }
  expect(found.size).toBe(count)
})
