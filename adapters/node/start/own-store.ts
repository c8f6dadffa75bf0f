import { join } from 'node:path'
import type { StoreAddress } from '../../dynamo/client.ts'
import type { Config } from '../config/config.ts'
import { fullDiskProblem } from '../process/disk.ts'
import { start } from '../store-supervisor/dynamodb-local.ts'
import { copyStoreFiles } from '../upgrade/copy-files.ts'

/** A DynamoDB Local that belongs to this process. */
export interface OwnStore {
  readonly address: StoreAddress
  /** Copies its files to a new directory. Stops it for that time, and starts it again. */
  copy(target: string): Promise<void>
  stop(): Promise<void>
}

/** Starts DynamoDB Local with its files in the data directory. */
export async function startOwnStore(
  config: Config,
  warn: (event: string) => void,
): Promise<OwnStore> {
  const directory = join(config.dataDirectory, 'dynamodb')
  const launch = (port?: number) =>
    start(directory, {
      port,
      program: config.store.program,
      onEvent: warn,
    })
  let store = await launch()
  const { endpoint, region, credentials } = store
  return {
    address: {
      endpoint,
      region,
      credentials,
      table: config.store.table,
      explain: () => fullDiskProblem(config.dataDirectory),
    },
    async copy(target) {
      await store.stop()
      try {
        await copyStoreFiles(directory, target)
      } finally {
        store = await launch(Number(new URL(endpoint).port))
      }
    },
    stop: () => store.stop(),
  }
}
