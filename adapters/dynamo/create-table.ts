import { setTimeout as delay } from 'node:timers/promises'
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { Failure, internalError } from '../../functions/core/errors.ts'
import { isRefusal, logsOf, type StoreClient } from './client.ts'
import { expiry, tableDefinition } from './table-definition.ts'

/** Milliseconds. */
const firstAnswerMax = 10_000

/**
 * Creates the table and the one for logs if they do not exist, and waits up to a minute until they
 * are active. Any number of processes may call this at once.
 *
 * @throws 500 if the store does not respond or a table does not become active
 */
export async function ensureTable(client: StoreClient): Promise<void> {
  await untilAnswered(client)
  await Promise.all([ensureOne(client), ensureOne(logsOf(client))])
}

/** Waits for a store that has just started: its first answer may take longer than a timeout. */
async function untilAnswered(client: StoreClient): Promise<void> {
  const giveUpAt = performance.now() + firstAnswerMax
  for (;;) {
    try {
      await statusOf(client)
      return
    } catch (error) {
      const { cause } = error as Error
      if (isRefusal(cause) || performance.now() > giveUpAt) throw error
      await delay(100)
    }
  }
}

async function ensureOne(client: StoreClient): Promise<void> {
  const giveUpAt = performance.now() + 60_000
  for (let status = await statusOf(client); status !== 'ACTIVE'; status = await statusOf(client)) {
    if (performance.now() > giveUpAt)
      throw internalError(`The table ${client.table} does not become active`, {
        reason: 'store-unavailable',
      })
    if (status === undefined) await create(client)
    else await delay(100)
  }
  await enableExpiry(client)
}

async function statusOf(client: StoreClient) {
  try {
    const answer = await client.send((dynamo, options) =>
      dynamo.send(new DescribeTableCommand({ TableName: client.table }), options),
    )
    return answer.Table?.TableStatus
  } catch (error) {
    if (causedBy(error, ResourceNotFoundException)) return undefined
    throw error
  }
}

async function create(client: StoreClient) {
  try {
    await client.send((dynamo, options) =>
      dynamo.send(new CreateTableCommand({ TableName: client.table, ...tableDefinition }), options),
    )
  } catch (error) {
    if (!causedBy(error, ResourceInUseException)) throw error
  }
}

/**
 * Lets the store delete expired items, some time later: every read checks the expiry itself. The
 * service removes these items too, so a store that cannot do this is as good.
 */
async function enableExpiry(client: StoreClient) {
  try {
    if (await expires(client)) return
    await client.send((dynamo, options) =>
      dynamo.send(
        new UpdateTimeToLiveCommand({
          TableName: client.table,
          TimeToLiveSpecification: expiry,
        }),
        options,
      ),
    )
  } catch (error) {
    const { cause } = error as Error
    if ((cause as Error | undefined)?.name === 'UnknownOperationException') return
    if (!(await expires(client))) throw error
  }
}

async function expires(client: StoreClient) {
  const { TimeToLiveDescription } = await client.send((dynamo, options) =>
    dynamo.send(new DescribeTimeToLiveCommand({ TableName: client.table }), options),
  )
  return TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL') ?? false
}

function causedBy(error: unknown, kind: abstract new (...args: never[]) => Error) {
  return error instanceof Failure && error.cause instanceof kind
}
