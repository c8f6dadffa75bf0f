import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import createTicket from '../../functions/feeds/tickets/create.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import type { AnyFeed } from '../../functions/kit/feed.ts'
import { type Feeds, routesOf } from '../../functions/kit/manifest.ts'
import * as manifest from '../../serverless.ts'
import { call } from '../harness/call.ts'
import { openFeed } from '../harness/open-feed.ts'
import { type Column, callerOf, inLab, inOffice, type Kind, kinds } from './matrix-world.ts'
import { feedRows, type Row, rows } from './rows.ts'
import { type Stage, stageOf } from './stage.ts'

/** Every caller by the name of its column. One column sends no credential. */
const columns: Record<string, Column> = {
  expired: { role: 'admin', state: 'expired' },
  revoked: { role: 'admin', state: 'revoked' },
  disabled: { role: 'admin', state: 'disabled' },
  viewer: { role: 'viewer' },
  operator: { role: 'operator' },
  admin: { role: 'admin' },
  'a role without permissions': { role: 'empty' },
  'a role that does not exist': { role: 'gone' },
  'a role with only this permission': { role: 'only' },
  'a role with every other permission': { role: 'except' },
  'in scope': { role: 'admin', scopeTags: ['lab'] },
  'out of scope': { role: 'admin', scopeTags: ['office'] },
  'in an empty scope': { role: 'admin', scopeTags: ['moon'] },
}

const ranks = ['viewer', 'operator', 'admin']

/** Returns the expected status of a cell. */
function expected(row: Row, name: string, { role, scopeTags = [], state }: Column, kind: Kind) {
  if (row.needs === 'public') return row.ok
  if (state) return 401
  if (row.by === 'session' && kind !== 'session') return 403
  if (row.needs !== 'signed-in') {
    if (role === 'empty' || role === 'gone' || role === 'except') return 403
    if (role === 'only' && row.also) return 403
    if (ranks.indexOf(role) < ranks.indexOf(row.least ?? 'viewer') && role !== 'only') return 403
  }
  if (scopeTags.length > 0 && row.reach === 'everywhere') return 403
  if (name !== 'in scope' && scopeTags.length > 0 && row.reach === 'object') return 403
  return row.ok
}

/** A cell of the matrix. One per row has no column: a request without a credential. */
interface Cell {
  name: string
  column: Column | undefined
  kind: Kind
  wanted: number
}

/** Returns the cells of a row, those that are refused first. */
function cellsOf(row: Row): Cell[] {
  const withoutCredential: Cell = {
    name: 'without a credential',
    column: undefined,
    kind: 'session',
    wanted: row.needs === 'public' ? row.ok : 401,
  }
  const others = Object.entries(columns).flatMap(([name, column]) =>
    kinds.map((kind) => ({
      name: `${name}, ${kind}`,
      column,
      kind,
      wanted: expected(row, name, column, kind),
    })),
  )
  // A login sends the disabled account's password in its body, so its status differs.
  const asked = others.filter(({ column }) => row.needs !== 'public' || column.state !== 'disabled')
  const isRefused = ({ wanted }: Cell) => Number(wanted === 401 || wanted === 403)
  return [withoutCredential, ...asked].sort((a, b) => isRefused(b) - isRefused(a))
}

/**
 * Asks for each cell of a row and checks the status. Cells share a world: a refused request changes
 * nothing in it. Where the status is another one after a permitted request, which may have changed
 * anything, a new world decides.
 */
async function checkCells<A extends { status: number }>(
  row: Row,
  ask: (cell: Cell, stage: Stage) => Promise<A>,
  check: (answer: A, cell: Cell) => void = () => {},
) {
  let stage = await stageOf(row)
  let isUsed = false
  for (const cell of cellsOf(row)) {
    stage.changes.length = 0
    let answer = await ask(cell, stage)
    if (isUsed && answer.status !== cell.wanted) {
      stage = await stageOf(row)
      answer = await ask(cell, stage)
    }
    expect(`${cell.name}: ${answer.status}`).toBe(`${cell.name}: ${cell.wanted}`)
    if (cell.wanted === 401 || cell.wanted === 403) expect(stage.changes, cell.name).toEqual([])
    else isUsed = true
    check(answer, cell)
  }
}

const cells = Object.entries(rows).flatMap(([key, some]) =>
  [some].flat().map((row, at) => ({ key, row, name: at === 0 ? key : `${key}, way ${at + 1}` })),
)

const routes = new Map(
  routesOf(manifest.routes).map((route) => [`${route.method} ${route.path}`, route]),
)

/** Opens a feed as the caller of a cell, with its credential in a header or with a ticket. */
async function opened(
  feed: AnyFeed,
  { column, kind }: Cell,
  { world, request, ports }: Stage,
  by: 'header' | 'ticket',
) {
  const token = await callerOf(world, column ?? { role: 'admin' }, kind)
  const { path, query } = request
  if (!column) return openFeed(feed, { path, query }, ports)
  if (by === 'header') return openFeed(feed, { path, query, token }, ports)
  const asked = await call(createTicket, { ports: world.ports, as: { token } })
  if (asked.status !== 200) return asked.status
  return openFeed(feed, { path, query: { ...query, ticket: asked.json.ticket } }, ports)
}

test.each(Object.entries(feedRows))(
  'GET %s, a feed',
  async (path, row) => {
    const feeds: Feeds = manifest.feeds
    const { default: feed } = await present(feeds[path])()
    expect(feed.facts.access).toBe(row.needs)
    for (const by of ['header', 'ticket'] as const) {
      await checkCells(row, async (cell, stage) => ({
        status: await opened(feed, cell, stage, by),
      }))
    }
  },
  60_000,
)

/** Calls an endpoint as the caller of a cell. */
async function answer(endpoint: AnyEndpoint, { column, kind }: Cell, stage: Stage) {
  const { world, request, ports } = stage
  const token = await callerOf(world, column ?? { role: 'admin' }, kind)
  const as = column ? { token } : undefined
  return call(endpoint, { ...request, as, ports: ports as never })
}

test.each(cells)(
  '$name',
  async ({ key, row }) => {
    const { default: endpoint } = await present(routes.get(key)).load()
    expect(endpoint.facts.access).toBe(row.needs)
    const ask = (cell: Cell, stage: Stage) => answer(endpoint, cell, stage)
    await checkCells(row, ask, ({ status, text }, { name, column }) => {
      if (status >= 300 || row.reach === 'none' || !column?.scopeTags) return
      const hidden = column === columns['in scope'] ? inOffice : inLab
      for (const one of hidden) expect(text, name).not.toContain(one)
    })
  },
  60_000,
)
