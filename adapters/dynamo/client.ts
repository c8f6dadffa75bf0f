import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { broken } from '../../functions/core/errors.ts'
import { storeDeadlines } from './deadline.ts'

/** Where the store is. Without an endpoint it is Amazon's own, without credentials the SDK looks for them. */
export interface StoreAddress {
  endpoint?: string
  region: string
  table: string
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** Returns why the store fails if that is known, such as a full disk, in words for callers. */
  explain?(): Promise<string | undefined>
}

/** A client of the store, and the one way to call it. */
export interface StoreClient {
  readonly table: string
  /**
   * Calls with the deadline. A condition that does not hold comes out as the SDK's own error, anything else as a
   * `Failure` 500.
   */
  send<Output>(
    call: (client: DynamoDBClient, options: { abortSignal: AbortSignal }) => Promise<Output>,
  ): Promise<Output>
  /** Closes the connections. */
  close(): void
}

/** Connects at the first call. */
export function storeClient(address: StoreAddress): StoreClient {
  // Node 20 is supported by the pinned versions; the SDK says on standard error that later ones will end that.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  // DynamoDB Local drops connections beyond 50 that come at once; the kernel tries again after a
  // whole second.
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

/** A 4xx is a fault of ours or of the configuration; everything else a store that is not there. */
function asFailure(error: unknown, reason = 'The store does not answer') {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
  const refused = status !== undefined && status >= 400 && status < 500
  return broken(refused ? 'The store refused the request' : reason, {
    cause: error,
  })
}

/** The same store's second table: what is only ever added to, audit rows and logs of jobs. */
export const logsOf = (client: StoreClient): StoreClient => ({
  ...client,
  table: `${client.table}-logs`,
})
