import type { Chances } from './chances.ts'
import { type ApiAnswer, type ApiRequest, errorAnswer } from './dynamo-api.ts'

/** How often each fault happens, from 0 to 1, in requests that the SDK would repeat. */
export interface FaultRates {
  /** Refused because the table has too many requests. */
  throttled: number
  /** Answered with a 500 without being executed. */
  failed: number
  /** Executed, but answered with a 500. Happens to writes whose repetition can find that out. */
  lost: number
  /** Answered late. */
  slow: number
}

/** A fault of one request. */
export type Fault = keyof FaultRates

/** The longest that a slow answer takes, in milliseconds. */
export const slowMax = 300

/**
 * Returns the fault that a request has, or undefined. The SDK says which of how many attempts a
 * request is. The last one never fails, as with a store that recovers in time.
 */
export function chooseFault(
  { operation, headers, input }: ApiRequest,
  rates: FaultRates,
  chances: Chances,
): Fault | undefined {
  const kinds: readonly Fault[] = ['throttled', 'failed', 'lost', 'slow']
  const drawn = kinds.find((kind) => chances.happens(rates[kind]))
  if (drawn === undefined || drawn === 'slow') return drawn
  if (drawn === 'lost' && !canFindOut(operation, input)) return undefined
  const [, attempt, most] =
    /attempt=(\d+); max=(\d+)/.exec(String(headers['amz-sdk-request'])) ?? []
  const isRepeatable = Number(attempt) < Number(most)
  return isRepeatable && operation !== unsure ? drawn : undefined
}

/** A conditional put whose response was lost is found by its `rev` only. */
const canFindOut = (operation: string, input: ApiRequest['input']) =>
  operation === 'PutItem'
    ? input.ConditionExpression === undefined || input.Item.rev !== undefined
    : ['UpdateItem', 'BatchWriteItem'].includes(operation)

/**
 * The repetition of a delete that finds no item cannot know whether its first try removed it, and
 * answers otherwise than one that was not repeated. adapters/dynamo has the tests of it.
 */
const unsure = 'DeleteItem'

/** Returns the response to a request that fails. */
export function failure(fault: Exclude<Fault, 'slow'>): ApiAnswer {
  if (fault !== 'throttled') return errorAnswer(500, 'InternalServerError', 'Internal server error')
  return errorAnswer(
    400,
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table was exceeded.',
  )
}
