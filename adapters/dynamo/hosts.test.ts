import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { agentHost, localHost } from '../memory/hosts.ts'
import { dynamoHosts } from './hosts.ts'

const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: async () => {} }

test('the local host takes its name and tags from the store and its directory from the configuration', async () => {
  const table = await newTable()
  const hosts = dynamoHosts(table, clock, localHost)
  const found = (await hosts.find('local'))!
  expect(await hosts.replace({ ...found, name: 'rack-1', tags: ['lab'] })).toBeDefined()
  const moved = { ...localHost, stacksDirectory: '/srv/stacks' }
  const expected = { ...moved, name: 'rack-1', tags: ['lab'], revision: expect.any(Number) }
  expect(await dynamoHosts(table, clock, moved).find('local')).toEqual(expected)
  expect(await dynamoHosts(table, clock, moved).list()).toEqual([expected])
})

test('enrolled hosts are listed beside it, in order of id', async () => {
  const hosts = dynamoHosts(await newTable(), clock, localHost)
  for (const id of ['z', 'a']) await hosts.create(agentHost(id))
  expect((await hosts.list()).map(({ id }) => id)).toEqual(['a', 'local', 'z'])
})
