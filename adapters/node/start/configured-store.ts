import { join } from 'node:path'
import { storeClient } from '../../dynamo/client.ts'
import { dynamoStore } from '../../dynamo/store.ts'
import { isInUse } from '../../sqlite/in-use.ts'
import { hasSqlite } from '../../sqlite/node-sqlite.ts'
import { sqliteStore } from '../../sqlite/store.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../config/config.ts'
import { fullDisk, fullDiskProblem } from '../process/disk.ts'
import { StartError } from '../process/start-error.ts'
import { startOwnStore } from './own-store.ts'

/** The store that the configuration names. */
export interface ConfiguredStore {
  store: Store
  /** Copies the files of a store that belongs to this process. A shared one is exported. */
  copy: ((target: string) => Promise<void>) | undefined
  /** Closes the store, and stops it if this process has started it. */
  stop(): Promise<void>
}

/** Returns the directory below the data directory that has the files of the store, if any. */
export function storeDirectory({ dataDirectory, store }: Config): string | undefined {
  if (store.kind === 'sqlite') return join(dataDirectory, 'sqlite')
  return store.endpoint ? undefined : join(dataDirectory, 'dynamodb')
}

/** Returns the file of the SQLite store. */
export const sqliteFile = ({ dataDirectory }: Pick<Config, 'dataDirectory'>) =>
  join(dataDirectory, 'sqlite', 'store.db')

/**
 * Opens the store of the configuration, and starts DynamoDB Local if that is the store. `warn` is
 * called when it restarts.
 *
 * @throws StartError if it cannot be started here
 */
export async function openConfiguredStore(
  config: Config,
  warn: (event: string) => void = () => {},
): Promise<ConfiguredStore> {
  const { kind, endpoint, region, table } = config.store
  if (kind === 'sqlite') return openSqlite(config)
  const own = endpoint ? undefined : await startOwnStore(config, warn)
  const store = dynamoStore(storeClient(own?.address ?? { endpoint, region, table }))
  return {
    store,
    copy: own?.copy,
    async stop() {
      await store.close()
      await own?.stop()
    },
  }
}

function openSqlite(config: Config): ConfiguredStore {
  if (!hasSqlite()) throw new StartError(needsNewerNode)
  const explain = async (isCertain: boolean) =>
    isCertain ? fullDisk : fullDiskProblem(config.dataDirectory)
  const store = sqliteStore({ file: sqliteFile(config), explain })
  return { store, copy: undefined, stop: async () => store.close() }
}

/** @throws StartError if a service has its SQLite file in this data directory open */
export function refuseIfInUse(config: Config): void {
  const file = sqliteFile(config)
  if (hasSqlite() && isInUse(file))
    throw new StartError(
      `The store in ${file} is in use by a service that is running. Stop it, or choose another SERVICE_DATA_DIR.`,
    )
}

const needsNewerNode = `SERVICE_STORE=sqlite needs Node.js 22.13 or newer, and this is ${process.version}: start the service with Node.js 24, or remove SERVICE_STORE to use DynamoDB Local`
