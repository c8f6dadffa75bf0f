import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { agentHost, localHost } from '../testing/memory/hosts.ts'
import { present } from '../testing/present.ts'
import { storedHosts } from './hosts.ts'

const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: async () => {} }

test('reads name, tags and address of the local host from the store, its directory from the configuration', async () => {
  const table = await newTable()
  const hosts = storedHosts(table, clock, localHost)
  const change = { name: 'rack-1', tags: ['lab'], address: 'nas.lan' }
  const found = present(await hosts.find('local'))
  expect(await hosts.replace({ ...found, ...change })).toBeDefined()
  const moved = { ...localHost, stacksDirectory: '/srv/stacks' }
  const expected = { ...moved, ...change, revision: expect.any(Number) }
  expect(await storedHosts(table, clock, moved).find('local')).toEqual(expected)
  expect(await storedHosts(table, clock, moved).list()).toEqual([expected])
})

test('lists enrolled hosts by ID next to the local one', async () => {
  const hosts = storedHosts(await newTable(), clock, localHost)
  for (const id of ['z', 'a']) await hosts.create(agentHost(id))
  expect((await hosts.list()).map(({ id }) => id)).toEqual(['a', 'local', 'z'])
})
