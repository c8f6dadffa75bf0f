import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import {
  api,
  moveInto,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
} from '../service.ts'
import { livedInWorld } from './world.ts'

let place: Place
let running: Running
let token: string

const get = (path: string) => api(running, 'GET', path, { token })

beforeAll(async () => {
  moveInto(livedInWorld)
  place = newPlace()
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(() => place?.remove())

test('has three hosts that are connected, each with an Engine, two with a stack', async () => {
  const hosts = (await get('/hosts')).json
  expect(hosts.map((one: Json) => one.status)).toEqual(['online', 'online', 'online'])
  expect(hosts.map((one: Json) => one.tags.join()).sort()).toEqual(['', 'attic', 'lab'])
  const ids = hosts.flatMap(({ id }: Json) => (id === 'local' ? [] : [id]))
  const stacks = (await get('/stacks')).json
  expect(stacks.map(({ host }: Json) => host).sort()).toEqual(ids.sort())
  expect((await get('/containers?host=all')).json.unreachable_hosts).toEqual([])
})

test('has directories whose names macOS would write', () => {
  const [name = ''] = readdirSync(dirname(place.directory))
  expect([name, name.normalize('NFC')]).toEqual(['Mein Sta\u0308cks', 'Mein St\u00e4cks'])
})

test('has more deployments, events and audit rows than lists return, and the audit is intact', async () => {
  const lists = ['/stacks/zz-keller/deployments', '/alert-events', '/audit']
  for (const answer of await Promise.all(lists.map(get)))
    expect(answer.headers.get('x-result-truncated')).toBe('true')
  const verdict = (await get('/audit/verify')).json
  expect(verdict).toMatchObject({ ok: true, problems: [] })
  expect(verdict.rows).toBeGreaterThan(1500)
})

test.each([
  ['J\u00fcrgen M\u00fcller', ['zz-keller']],
  ['JU\u0308RGEN MU\u0308LLER', ['zz-keller']],
  ['田中さん', ['zz-keller', 'zz-labor']],
])('%s signs in however the name is typed, and sees the stacks of some hosts', async (...given) => {
  const [username, stacks] = given
  for (const form of ['NFC', 'NFD'] as const) {
    const body = { username, password: 'ein langes Passwört'.normalize(form) }
    const { status, json } = await api(running, 'POST', '/auth/login', { body })
    expect([status, form]).toEqual([200, form])
    const seen = await api(running, 'GET', '/stacks', { token: json.access_token })
    expect(seen.json.map(({ name }: Json) => name).sort()).toEqual(stacks)
  }
})
