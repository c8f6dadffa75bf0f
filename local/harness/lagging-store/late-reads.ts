import type { Json } from '../../../adapters/testing/json.ts'
import type { Chances } from './chances.ts'
import type { ApiAnswer, ApiRequest } from './dynamo-api.ts'
import { lateTable } from './late-copy.ts'

/** Returns the read as one of the late copy, or undefined if it must be of the newest state. */
export function asLateRead(asked: ApiRequest, chances: Chances): ApiRequest | undefined {
  const { operation, input } = asked
  if (operation === 'BatchGetItem') return asLateBatch(asked, chances)
  if (!['GetItem', 'Query', 'Scan'].includes(operation)) return undefined
  const isLate = input.IndexName !== undefined || (!input.ConsistentRead && chances.happens(0.5))
  if (!isLate) return undefined
  return { ...asked, input: { ...input, TableName: lateTable(input.TableName) } }
}

/** Returns the batch with other names for the tables of which it may read the late copy. */
function asLateBatch(asked: ApiRequest, chances: Chances): ApiRequest | undefined {
  const tables = Object.entries<Json>(asked.input.RequestItems)
  const late = new Set(
    tables
      .filter(([, { ConsistentRead }]) => !ConsistentRead && chances.happens(0.5))
      .map(([table]) => table),
  )
  if (late.size === 0) return undefined
  const renamed = tables.map(([table, keys]) => [late.has(table) ? lateTable(table) : table, keys])
  return { ...asked, input: { ...asked.input, RequestItems: Object.fromEntries(renamed) } }
}

/** Returns the response to a late read with the names of the tables that were asked for. */
export function withAskedNames({ operation }: ApiRequest, answer: ApiAnswer): ApiAnswer {
  if (operation !== 'BatchGetItem' || answer.status !== 200) return answer
  const output = JSON.parse(String(answer.body))
  const asked = (tables: Json) =>
    Object.fromEntries(
      Object.entries(tables ?? {}).map(([table, found]) => [table.replace(/\.late$/, ''), found]),
    )
  const named = {
    ...output,
    Responses: asked(output.Responses),
    UnprocessedKeys: asked(output.UnprocessedKeys),
  }
  const { 'x-amz-crc32': _, ...headers } = answer.headers
  return { ...answer, headers, body: Buffer.from(JSON.stringify(named)) }
}
