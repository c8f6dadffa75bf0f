import {
  DeleteTableCommand,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb'
import { logsOf, type StoreClient } from './client.ts'

/** Deletes the table of a client and the one for logs, unless they are gone or being deleted. */
export async function removeTables(client: StoreClient): Promise<void> {
  await Promise.all([client, logsOf(client)].map(removeOne))
}

async function removeOne(client: StoreClient): Promise<void> {
  try {
    await client.send((dynamo, options) =>
      dynamo.send(new DeleteTableCommand({ TableName: client.table }), options),
    )
  } catch (error) {
    const { cause } = error as Error
    const isGone =
      cause instanceof ResourceNotFoundException || cause instanceof ResourceInUseException
    if (!isGone) throw error
  }
}
