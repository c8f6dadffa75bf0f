import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { isReadOnly } from '../../functions/kit/read-only.ts'
import { routes } from '../../serverless.ts'
import { call } from '../harness/call.ts'
import { callerOf } from './matrix-world.ts'
import { rows } from './rows.ts'
import { stageOf } from './stage.ts'

/** Requests that are no changed response, with the reason. */
const others: Record<string, string> = {
  'PUT /me/password': 'a password is never returned',
  'PUT /stacks/{name}':
    '`env` is null in a response to whom may not read it; in a request, null deletes the file',
  'PUT /me/passkeys/{id}': 'only the list returns it',
  'PUT /update-policies/{name}': 'only the list returns it',
  'PUT /hosts/{id}/prune-policy':
    '`schedule` is null in a response while there is none; in a request, it must be given',
  'PUT /stacks/{name}/file': 'sends content in one of two forms',
  'PUT /stacks/{name}/uploads/{id}/parts/{n}': 'sends a part of an upload',
  'PUT /stacks/adopt/{id}/parts/{n}': 'sends a part of a bundle',
  'PUT /containers/{id}/archive': 'sends an archive',
}

const all = routesOf(routes)
const changes = all.flatMap(({ method, path, load }) =>
  method === 'PUT' && !others[`PUT ${path}`] ? [{ path, load }] : [],
)

/** Returns a thing of the row of its PUT, and how it is read and sent. */
async function thingOf({ path: route, load }: (typeof changes)[number]) {
  const { world, request } = await stageOf(present([present(rows[`PUT ${route}`])].flat()[0]))
  const token = await callerOf(world, { role: 'admin' }, 'session')
  const given = { as: { token }, ports: world.ports as never, path: request.path ?? {} }
  const { default: endpoint } = await load()
  const send = (body: Json) => call(endpoint, { ...given, route: `PUT ${route}`, body })
  const reader = present(all.find(({ method, path }) => method === 'GET' && path === route))
  const { default: get } = await reader.load()
  const read = async (): Promise<Json> => (await call(get, given)).json
  return { endpoint, given, send, read }
}

/** A backup job acts as who last sent what it does, even if nothing of that changed. */
const kept = ({ updated_at: _time, acts_as: _account, ...rest }: Json) => rest

test.each(changes)('200: PUT $path takes its response back and changes nothing', async (one) => {
  const { send, read } = await thingOf(one)
  const before = await read()
  const { status, text } = await send(before)
  expect([status, text]).toEqual([200, expect.any(String)])
  expect(kept(await read())).toEqual(kept(before))
})

test.each(changes)('PUT $path ignores other values of what only a response has', async (one) => {
  const { endpoint, given, send, read } = await thingOf(one)
  const { shape } = endpoint.facts.body as unknown as { shape: Record<string, never> }
  const names = Object.keys(shape).filter((name) => isReadOnly(shape[name]))
  const before = await read()
  for (const name of names) {
    const { status, json } = await send({ ...before, [name]: 'another' })
    const isNamed = Object.hasOwn(given.path, name)
    expect([name, status]).toEqual([name, isNamed ? 400 : 200])
    if (isNamed) expect(json.error).toContain(`body.${name}: cannot be changed`)
  }
  expect(kept(await read())).toEqual(kept(before))
})

test.each(changes)('400: PUT $path still refuses a field that no response has', async (one) => {
  const { send, read } = await thingOf(one)
  const { status, json } = await send({ ...(await read()), enabeld: true })
  expect([status, json.error]).toEqual([400, expect.stringContaining('unknown field "enabeld"')])
  expect(json.error).not.toContain('created_at')
})

test('every other PUT has a reason why it sends no response back', () => {
  const puts = all.flatMap(({ method, path }) => (method === 'PUT' ? [`PUT ${path}`] : []))
  expect(puts.filter((key) => others[key]).sort()).toEqual(Object.keys(others).sort())
})
