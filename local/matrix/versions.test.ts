import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { call } from '../harness/call.ts'
import { callerOf } from './matrix-world.ts'
import { rows } from './rows.ts'
import { type Stage, stageOf } from './stage.ts'
import { withoutVersions } from './without-versions.ts'

const endpoints = new Map<string, AnyEndpoint>(
  await Promise.all(
    routesOf(routes).map(async ({ method, path, load }) => {
      return [`${method} ${path}`, (await load()).default] as const
    }),
  ),
)

const changing = [...endpoints.keys()].filter((key) => /^(PUT|DELETE) /.test(key))
const versioned = [...endpoints].filter(([, { facts }]) => facts.takesIfMatch).map(([key]) => key)

test('every PUT and DELETE takes If-Match, or has a reason why not', () => {
  const others = changing.filter((key) => !versioned.includes(key))
  expect(others.sort()).toEqual(Object.keys(withoutVersions).sort())
})

/** Returns a new world for a route whose permitted call succeeds. */
async function succeeding(key: string): Promise<Stage> {
  const all = [present(rows[key])].flat()
  return stageOf(present(all.find(({ ok }) => ok < 300)))
}

/** Sends the request of a world as an admin, to this route. */
async function send(key: string, { world, request, ports }: Stage, match: string | undefined) {
  const as = { token: await callerOf(world, { role: 'admin' }, 'session') }
  const headers: Record<string, string> = match === undefined ? {} : { 'If-Match': match }
  const { path, query, body } = request
  const asked = { path, as, route: key, ports: ports as never, headers }
  if (!key.startsWith('GET ')) return call(present(endpoints.get(key)), { ...asked, query, body })
  const known = present(endpoints.get(key)).facts.query?.shape ?? {}
  const kept = Object.entries(query ?? {}).filter(([name]) => Object.hasOwn(known, name))
  return call(present(endpoints.get(key)), { ...asked, query: Object.fromEntries(kept) })
}

/** A new file has no version yet: that of the stack counts. */
const readerOf = (key: string) =>
  key.replace(/^\S+/, 'GET').replace(key.startsWith('PUT') ? /\/file$/ : /\/deploy$/, '')

test.each(versioned)('409: %s of a version that is not there changes nothing', async (key) => {
  const stage = await succeeding(key)
  stage.changes.length = 0
  const { status, headers, text } = await send(key, stage, '"0-0"')
  expect([status, headers['x-error-reason']], text).toEqual([409, 'stale-revision'])
  expect(stage.changes).toEqual([])
})

test.each(versioned)('%s accepts the version that its GET returned', async (key) => {
  const stage = await succeeding(key)
  const etag = present((await send(readerOf(key), stage, undefined)).headers.etag)
  expect(etag).toMatch(/^"[^"]+-[0-9a-f]{32}"$/)
  const { status, text } = await send(key, stage, etag)
  expect(status, text).toBeLessThan(300)
})

const changed = versioned.filter((key) => key.startsWith('PUT '))

test.each(changed)('%s returns the version after it', async (key) => {
  const stage = await succeeding(key)
  const before = present((await send(readerOf(key), stage, undefined)).headers.etag)
  const after = present((await send(key, stage, before)).headers.etag)
  const now = present((await send(readerOf(key), stage, undefined)).headers.etag)
  const editionOf = (tag: string) => tag.slice(0, tag.lastIndexOf('-'))
  expect(editionOf(after)).toBe(editionOf(now))
})
