import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { deployment } from '../contract/samples.ts'
import { memoryClock } from '../memory/clock.ts'
import { dynamoDeployments } from './deployments.ts'

test('rows that a dead process left behind are swept, young ones without their deployment are not', async () => {
  const clock = memoryClock()
  const table = await newTable()
  const deployments = dynamoDeployments(table, clock)
  const leave = (id: string) =>
    table.put({ pk: 'deployments-running', sk: id, stack: 'web', at: clock.now() })
  await deployments.create({ ...deployment('ended', 'web'), status: 'failed' })
  await leave('ended')
  await leave('never-came')
  clock.advance(30_000)
  await leave('coming')
  expect(await deployments.listRunning()).toEqual([])
  expect((await table.query('deployments-running')).map(({ sk }) => sk)).toEqual(['coming'])
})
