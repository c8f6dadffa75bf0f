import { rmSync } from 'node:fs'
import { type LocalStore, start } from '../../adapters/node/store-supervisor/dynamodb-local.ts'
import { newQuickDirectory } from './quick-directory.ts'

/** A store that no other test uses, so that a test can inspect, stop and suspend it. */
export interface OwnStore {
  store: LocalStore
  /** The directory of its data. */
  readonly directory: string
  /** The environment of a service that uses it. */
  readonly env: Record<string, string>
  /** Restarts it after a stop, with the same data and port. */
  startAgain(): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/** Starts DynamoDB Local on a new directory. */
export async function startOwnStore(): Promise<OwnStore> {
  const directory = newQuickDirectory()
  const store = await start(directory)
  const own: OwnStore = {
    store,
    directory,
    env: {
      SERVICE_DYNAMODB_ENDPOINT: store.endpoint,
      SERVICE_DYNAMODB_REGION: store.region,
      AWS_ACCESS_KEY_ID: store.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
    },
    async startAgain() {
      own.store = await start(directory, { port: Number(new URL(store.endpoint).port) })
    },
    async remove() {
      await own.store.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return own
}
