import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import list from './list.ts'

test('200: lists every host with its Engine, and unreachable ones as offline', async () => {
  const here = world()
  const gone = await givenHost(here, 'gone', { tags: ['lab'] })
  gone.off()
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(json.map((one: Json) => [one.id, one.status, one.tags])).toEqual([
    ['gone', 'offline', ['lab']],
    ['local', 'online', []],
  ])
  expect(json[0].engine).toBeNull()
  expect(json[1].engine.api_version).toBe('1.41')
})

test('200: lists only hosts in scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { json } = await call(list, { ports: here.ports, as })
  expect(json.map((one: Json) => one.id)).toEqual(['far'])
})

test('200: tags named like inherited properties limit as all others do', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['constructor'] })
  const seenBy = async (tag: string) => {
    const as = { username: `with ${tag}`, role: 'viewer', scopeTags: [tag] }
    const { json } = await call(list, { ports: here.ports, as })
    return json.map((one: Json) => one.id)
  }
  expect(await seenBy('constructor')).toEqual(['far'])
  expect(await seenBy('__proto__')).toEqual([])
})

test('200: a host is offline, with an error, after three seconds without an answer', async () => {
  const here = world()
  const asked = new Promise<void>((resolve) => {
    here.engine.info = () => {
      resolve()
      return new Promise(() => {})
    }
  })
  const answer = call(list, { ports: here.ports, as: 'viewer' })
  await asked
  here.ports.clock.advance(3000)
  const { json } = await answer
  expect(json.map((one: Json) => [one.id, one.status, one.error])).toEqual([
    ['local', 'offline', `host ${localHost.name} did not respond within 3 s`],
  ])
})
