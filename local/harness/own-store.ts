import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalStore, start } from '../store/dynamodb-local.ts'

/** A store that no other test shares: it can be looked into, stopped and hung. */
export interface OwnStore {
  store: LocalStore
  /** Where its data is. */
  readonly directory: string
  /** What a service that uses it is started with. */
  readonly env: Record<string, string>
  /** Starts it again, once it was stopped, with its data and where it was. */
  startAgain(): Promise<void>
  /** Stops it, and removes its data. */
  remove(): Promise<void>
}

/** Starts DynamoDB Local on a directory of its own. */
export async function startOwnStore(): Promise<OwnStore> {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-store-'))
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
