/** The one index of each table. */
export const indexName = 'gsi1'

/**
 * How the two tables of a store are defined, in the form of the DynamoDB API, which templates of
 * CloudFormation share.
 */
export const tableDefinition = {
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S' as const,
  })),
  KeySchema: keys('pk', 'sk'),
  GlobalSecondaryIndexes: [
    {
      IndexName: indexName,
      KeySchema: keys('gsi1pk', 'gsi1sk'),
      Projection: { ProjectionType: 'ALL' as const },
    },
  ],
}

/** The attribute with the time when an item expires, in seconds since the epoch. */
export const expiry = { Enabled: true, AttributeName: 'ttl' } as const

/** Returns the name of the second table: audit rows, alert events and samples. */
export const logsTable = (table: string) => `${table}-logs`

function keys(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ]
}
