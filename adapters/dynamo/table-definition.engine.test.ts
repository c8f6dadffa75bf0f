import { DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { logsOf } from './client.ts'
import { ensureTable } from './create-table.ts'
import { expiry, tableDefinition } from './table-definition.ts'

test('both tables that the service creates have the definition', async () => {
  const client = testClient(testAddress())
  await ensureTable(client)
  for (const one of [client, logsOf(client)]) {
    const { Table } = await one.send((dynamo) =>
      dynamo.send(new DescribeTableCommand({ TableName: one.table })),
    )
    const { TimeToLiveDescription } = await one.send((dynamo) =>
      dynamo.send(new DescribeTimeToLiveCommand({ TableName: one.table })),
    )
    const { BillingMode, AttributeDefinitions, ...rest } = tableDefinition
    expect(Table).toMatchObject({
      ...rest,
      BillingModeSummary: { BillingMode },
      AttributeDefinitions: expect.arrayContaining(AttributeDefinitions),
    })
    expect(Table?.AttributeDefinitions).toHaveLength(AttributeDefinitions.length)
    expect(TimeToLiveDescription?.AttributeName).toBe(expiry.AttributeName)
  }
})
