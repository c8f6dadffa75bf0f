import { type AnswerOptions, answerRequests } from './answer-requests.ts'
import { serveApi } from './api-server.ts'
import { chancesOf } from './chances.ts'

/** How a store lags and fails. `seed` chooses among all that may happen. */
export type LaggingStoreOptions = Omit<AnswerOptions, 'chances'> & { seed: number }

/** A running store with DynamoDB's API. */
export interface LaggingStore {
  endpoint: string
  close(): Promise<void>
}

/**
 * Starts a server in front of DynamoDB Local that keeps DynamoDB's promises and no more:
 *
 * - Writes, their conditions and consistent reads are of the newest state.
 * - A query of the index sees a write up to `lagMax` later: each item as it is or as it was.
 * - So does a read without `ConsistentRead`, half of the time.
 * - Requests are throttled, fail, lose their answer or are slow, at the rates of `faults`.
 *
 * All writes to its tables have to pass through it.
 */
export async function startLaggingStore(options: LaggingStoreOptions): Promise<LaggingStore> {
  const { answer, close } = answerRequests({ ...options, chances: chancesOf(options.seed) })
  const server = await serveApi(answer)
  return {
    endpoint: server.endpoint,
    async close() {
      server.close()
      await close()
    },
  }
}
