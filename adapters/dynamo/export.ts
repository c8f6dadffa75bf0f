import { type AttributeValue, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb'
import type { ItemChunk, StoreTable } from '../../functions/core/backups/system-parts.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { logsOf, type StoreClient } from './client.ts'

type WireItem = Record<string, AttributeValue>

/**
 * Items that a restored service must not have: open sessions, tickets, sign-ins, leases, login
 * attempts, enrolments and uploads; samples; the progress of sweeps; and the heartbeats of
 * processes.
 */
const passing = [
  ...['session#', 'sessions#', 'ticket#', 'sign-in#', 'lease#', 'attempts#'],
  ...['enrolment#', 'adoption#', 'host-connections', 'sidecars', 'metrics#', 'retention'],
]

/**
 * Items that are written before the records that refer to them: texts, guards of names, and rows of
 * API tokens and runs. They are read after the records, so that the export contains every item that
 * an exported record needs, even while the service writes.
 */
const needed =
  'begins_with(pk, :text) OR sk = :guard OR pk IN (:tokens, :deployments, :runs, :running)'
const values = {
  ':text': { S: 'text#' },
  ':guard': { S: 'guard' },
  ':tokens': { S: 'tokens' },
  ':deployments': { S: 'deployments-running' },
  ':runs': { S: 'backup-runs' },
  ':running': { S: 'backup-runs-running' },
}

/**
 * Yields the lasting items of both tables, one page (1 MB) at a time, while the service keeps
 * running. Each item is as it was at some time during the export. Rows that are only ever added,
 * such as audit rows, have no gaps.
 */
export async function* exportItems(
  client: StoreClient,
  clock: Clock,
  signal: AbortSignal,
): AsyncIterable<ItemChunk> {
  const passes: [StoreTable, StoreClient, Partial<ScanCommandInput>][] = [
    ['items', client, { FilterExpression: `NOT (${needed})`, ExpressionAttributeValues: values }],
    ['items', client, { FilterExpression: needed, ExpressionAttributeValues: values }],
    ['logs', logsOf(client), {}],
  ]
  for (const [table, from, filter] of passes) {
    for await (const page of pages(from, filter)) {
      signal.throwIfAborted()
      const items = page.filter((item) => lasts(item, clock.now()))
      if (items.length > 0) yield { table, count: items.length, lines: linesOf(items) }
    }
  }
}

async function* pages(
  client: StoreClient,
  filter: Partial<ScanCommandInput>,
): AsyncIterable<WireItem[]> {
  let from: WireItem | undefined
  do {
    const page = await client.send((dynamo, options) =>
      dynamo.send(
        new ScanCommand({
          TableName: client.table,
          ConsistentRead: true,
          ExclusiveStartKey: from,
          ...filter,
        }),
        options,
      ),
    )
    yield page.Items ?? []
    from = page.LastEvaluatedKey
  } while (from)
}

function lasts({ pk, ttl }: WireItem, now: number): boolean {
  const kind = pk?.S ?? ''
  const isPassing = passing.some((one) => (one.endsWith('#') ? kind.startsWith(one) : kind === one))
  return !isPassing && (ttl?.N === undefined || Number(ttl.N) * 1000 > now)
}

/** Returns one line per item in the format of DynamoDB's own exports: bytes are in base64. */
const linesOf = (items: WireItem[]) =>
  Buffer.from(items.map((item) => `${JSON.stringify({ Item: item }, binary)}\n`).join(''))

function binary(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const bytes = this[key]
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value
}
