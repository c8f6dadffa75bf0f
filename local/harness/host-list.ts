import { expect } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import { call } from './call.ts'
import type { TestCaller } from './sign-in.ts'
import { givenHost, givenStack, world } from './world.ts'

/**
 * Checks that a list over hosts contains the objects of the local host: `expected` is one of a
 * deployed stack `shop`.
 */
export async function expectLocal(list: AnyEndpoint, expected: string): Promise<void> {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(JSON.stringify(json)).toContain(expected)
  for (const one of json)
    expect(one).toMatchObject({ host_id: localHost.id, host_name: localHost.name })
}

/** Checks that a list over all hosts names the unreachable ones. */
export async function expectUnreachable(list: AnyEndpoint): Promise<void> {
  const here = world()
  const gone = await givenHost(here, 'gone')
  gone.off()
  const { json } = await call(list, { ports: here.ports, as: 'viewer', query: { host: 'all' } })
  expect(json.unreachable_hosts.map((one: Json) => one.host_id)).toEqual(['gone'])
}

/** Checks the response for an unknown host. */
export async function expectUnknownHost(list: AnyEndpoint): Promise<void> {
  const { ports } = world()
  const { status } = await call(list, { ports, as: 'viewer', query: { host: 'mars' } })
  expect(status).toBe(404)
}

type Path = Record<string, string>

/**
 * Checks that one object of the local host can be read by each of these paths, as the list has it,
 * and which requests are refused.
 */
export async function expectOne(
  { get, list }: { get: AnyEndpoint; list: AnyEndpoint },
  { named, unknown }: { named(shown: Json): Path[]; unknown: Path },
): Promise<void> {
  const here = world()
  await givenStack(here)
  const { engine: far } = await givenHost(here, 'far', { tags: ['lab'] })
  far.state.images.clear()
  const ask = (path: Path, query: Path = {}, as: TestCaller = 'viewer') =>
    call(get, { ports: here.ports, as, path, query })
  const [shown] = (await call(list, { ports: here.ports, as: 'viewer' })).json
  const paths = named(shown)
  for (const path of paths) expect((await ask(path)).json, JSON.stringify(path)).toEqual(shown)
  const [path = {}] = paths
  const lab = { username: 'ada', role: 'admin', scopeTags: ['lab'] }
  const refused: [number, Promise<{ status: number }>][] = [
    [400, ask(path, { host: 'all' })],
    [401, call(get, { ports: here.ports, path })],
    [403, ask(path, { host: 'local' }, lab)],
    [404, ask(unknown)],
    [404, ask(path, { host: 'far' })],
    [404, ask(path, { host: 'mars' })],
  ]
  for (const [status, answer] of refused) expect((await answer).status).toBe(status)
}
