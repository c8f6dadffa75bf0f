import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { internalError } from '../../functions/core/errors.ts'
import { storeDeadlines } from '../store/deadline.ts'
import { logsTable } from './table-definition.ts'

/**
 * The address of the store. The default endpoint is Amazon's; without credentials the SDK looks for
 * them itself.
 */
export interface StoreAddress {
  endpoint?: string
  region: string
  table: string
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /**
   * Returns a message for callers if the disk of the store is full, which is why it fails.
   */
  explain?(): Promise<string | undefined>
}

/** A client of the store. */
export interface StoreClient {
  readonly table: string
  /**
   * Makes a call with a deadline. Rejects with the SDK's error if a condition does not hold, and
   * with a 500 otherwise.
   */
  send<Output>(
    call: (client: DynamoDBClient, options: { abortSignal: AbortSignal }) => Promise<Output>,
  ): Promise<Output>
  /** Closes the connections. */
  close(): void
}

/** Returns a client, which connects at the first call. */
export function storeClient(address: StoreAddress): StoreClient {
  // Turns off the SDK's warning on stderr that its later versions drop Node 20; the pinned versions
  // support it.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  // DynamoDB Local drops connections beyond 50 that arrive at once, and the kernel only retries
  // after a second.
  const sockets = { keepAlive: true, maxSockets: 24, scheduling: 'lifo' as const }
  const client = new DynamoDBClient({
    region: address.region,
    endpoint: address.endpoint,
    credentials: address.credentials,
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    cacheMiddleware: true,
    requestHandler: {
      httpAgent: new HttpAgent(sockets),
      httpsAgent: new HttpsAgent(sockets),
      socketAcquisitionWarningTimeout: 60_000,
    },
  })
  const deadlines = storeDeadlines()
  return {
    table: address.table,
    async send(call) {
      try {
        return await deadlines.within((abortSignal) => call(client, { abortSignal }))
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) throw error
        throw asFailure(error, await address.explain?.())
      }
    },
    close: () => client.destroy(),
  }
}

/**
 * A refusal is a bug or a wrong configuration; any other error means that the store is unavailable.
 */
function asFailure(cause: unknown, fullDisk: string | undefined) {
  if (isRefusal(cause)) return internalError('The store refused the request', { cause })
  if (fullDisk !== undefined) return internalError(fullDisk, { reason: 'disk-full', cause })
  return internalError('The store does not respond', { reason: 'store-unavailable', cause })
}

/** Errors of a store that has too many requests at the moment. Their status is 400. */
const throttling = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'LimitExceededException',
])

/** Returns whether the store answered with a 4xx, other than that it has too many requests. */
export function isRefusal(error: unknown): boolean {
  const { $metadata, name } = (error ?? {}) as {
    $metadata?: { httpStatusCode?: number }
    name?: string
  }
  const status = $metadata?.httpStatusCode ?? 0
  return status >= 400 && status < 500 && !throttling.has(name ?? '')
}

/**
 * Returns a client for the second table of the same store: audit rows, alert events and samples.
 */
export const logsOf = (client: StoreClient): StoreClient => ({
  ...client,
  table: logsTable(client.table),
})
