import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { localHost } from '../memory/hosts.ts'
import { dynamoHosts } from './hosts.ts'

test('the local host takes its name and tags from the store and its directory from the configuration', async () => {
  const table = await newTable()
  await dynamoHosts(table, localHost).save({ ...localHost, name: 'rack-1', tags: ['lab'] })
  const moved = { ...localHost, stacksDirectory: '/srv/stacks' }
  const expected = { ...moved, name: 'rack-1', tags: ['lab'] }
  expect(await dynamoHosts(table, moved).find('local')).toEqual(expected)
  expect(await dynamoHosts(table, moved).list()).toEqual([expected])
})

test('enrolled hosts are listed beside it, in order of id', async () => {
  const hosts = dynamoHosts(await newTable(), localHost)
  for (const id of ['z', 'a']) await hosts.save({ ...localHost, id, kind: 'agent', name: id })
  expect((await hosts.list()).map(({ id }) => id)).toEqual(['a', 'local', 'z'])
})
