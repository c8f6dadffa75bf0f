import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import list from './list.ts'

test('200: every host with what its Engine says; one that does not answer is offline', async () => {
  const here = world()
  const gone = await givenHost(here, 'gone', { tags: ['lab'] })
  gone.off()
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(json.map((one: any) => [one.id, one.status, one.tags])).toEqual([
    ['gone', 'offline', ['lab']],
    ['local', 'online', []],
  ])
  expect(json[0].engine).toBeNull()
  expect(json[1].engine.api_version).toBe('1.41')
})

test('200: only those in the scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { json } = await call(list, { ports: here.ports, as })
  expect(json.map((one: any) => one.id)).toEqual(['far'])
})
