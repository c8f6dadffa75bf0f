import { expect, test } from 'vitest'
import createTicket from '../../functions/feeds/tickets/create.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import type { AnyFeed } from '../../functions/kit/feed.ts'
import { type Feeds, routesOf } from '../../functions/kit/manifest.ts'
import * as manifest from '../../serverless.ts'
import { call } from '../harness/call.ts'
import { openFeed } from '../harness/open-feed.ts'
import { present } from '../harness/present.ts'
import {
  type Column,
  callerOf,
  dismiss,
  inLab,
  inOffice,
  type Kind,
  kinds,
  type MatrixWorld,
  matrixWorld,
} from './matrix-world.ts'
import { feedRows, type Request, type Row, rows } from './rows.ts'

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

function worldOf({ needs }: Row) {
  const named = needs === 'public' || needs === 'signed-in' ? undefined : needs
  return matrixWorld(named)
}

/** Calls an endpoint in a world as one of the columns, or without a credential. */
async function answer(
  endpoint: AnyEndpoint,
  row: Row,
  column: Column | undefined,
  kind: Kind,
  world: MatrixWorld,
) {
  const { account, token } = await callerOf(world, column ?? { role: 'admin' }, kind)
  const request =
    typeof row.request === 'function' ? await row.request(world, account.id) : row.request
  const as = column ? { token } : undefined
  const answered = await call(endpoint, { ...request, as, ports: world.ports as never })
  await dismiss(world, account)
  return answered
}

const cells = Object.entries(rows).flatMap(([key, some]) =>
  [some].flat().map((row, at) => ({ key, row, name: at === 0 ? key : `${key}, way ${at + 1}` })),
)

/** Opens a feed in a world as one of the columns, or without a credential. */
async function opened(
  feed: AnyFeed,
  row: Row,
  column: Column | undefined,
  kind: Kind,
  world: MatrixWorld,
  by: 'header' | 'ticket' = 'header',
) {
  const { account, token } = await callerOf(world, column ?? { role: 'admin' }, kind)
  const { path, query } = row.request as Request
  const request = { path, query: { ...query } }
  try {
    if (by === 'ticket') {
      const asked = await call(createTicket, { ports: world.ports, as: { token } })
      if (asked.status !== 200) return asked.status
      request.query.ticket = asked.json.ticket
    }
    const sent = column && by === 'header' ? token : undefined
    return await openFeed(feed, { ...request, token: sent }, world.ports)
  } finally {
    await dismiss(world, account)
  }
}

const routes = new Map(
  routesOf(manifest.routes).map((route) => [`${route.method} ${route.path}`, route]),
)

test.each(Object.entries(feedRows))(
  'GET %s, a feed',
  async (path, row) => {
    const feeds: Feeds = manifest.feeds
    const { default: feed } = await present(feeds[path])()
    expect(feed.facts.access).toBe(row.needs)
    const unchanged = await worldOf(row)
    expect(await opened(feed, row, undefined, 'session', unchanged)).toBe(401)
    for (const [name, column] of Object.entries(columns)) {
      for (const kind of kinds) {
        const wanted = expected(row, name, column, kind)
        const worldOfCell = () => (wanted === 403 ? unchanged : worldOf(row))
        const status = await opened(feed, row, column, kind, await worldOfCell())
        expect(`${name}, ${kind}: ${status}`).toBe(`${name}, ${kind}: ${wanted}`)
        const byTicket = await opened(feed, row, column, kind, await worldOfCell(), 'ticket')
        expect(`${name}, ticket: ${byTicket}`).toBe(`${name}, ticket: ${wanted}`)
      }
    }
  },
  60_000,
)

test.each(cells)(
  '$name',
  async ({ key, row }) => {
    const { default: endpoint } = await present(routes.get(key)).load()
    expect(endpoint.facts.access).toBe(row.needs)
    const nobody = await answer(endpoint, row, undefined, 'session', await worldOf(row))
    expect(nobody.status).toBe(row.needs === 'public' ? row.ok : 401)
    // Those who only read, or are refused, share a world: what they send changes nothing in it.
    const unchanged = typeof row.request === 'function' ? undefined : await worldOf(row)
    const onlyReads = key.startsWith('GET ')
    for (const [name, column] of Object.entries(columns)) {
      for (const kind of kinds) {
        // A login sends the disabled account's password in its body, so its status differs.
        if (row.needs === 'public' && column.state === 'disabled') continue
        const wanted = expected(row, name, column, kind)
        const isShared = column.state === undefined && (onlyReads || wanted === 403)
        const world = (isShared && unchanged) || (await worldOf(row))
        const { status, text } = await answer(endpoint, row, column, kind, world)
        expect(`${name}, ${kind}: ${status}`).toBe(`${name}, ${kind}: ${wanted}`)
        if (status >= 300 || row.reach === 'none') continue
        const hidden = name === 'in scope' ? inOffice : column.scopeTags ? inLab : []
        for (const one of hidden) expect(text, `${name}, ${kind}`).not.toContain(one)
      }
    }
  },
  60_000,
)
