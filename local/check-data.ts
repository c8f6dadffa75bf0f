import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type StoreAddress, storeClient } from '../adapters/dynamo/client.ts'
import { ensureTable } from '../adapters/dynamo/create-table.ts'
import { installationRecord } from '../adapters/dynamo/installation.ts'
import { table } from '../adapters/dynamo/table.ts'
import type { Config } from '../adapters/node/config.ts'
import { DataError } from '../adapters/node/data/check.ts'
import { judgeInstallation } from '../adapters/node/data/claim.ts'
import { judgeKeys } from '../adapters/node/data/judge-keys.ts'
import { linesOf } from '../adapters/node/data/lost-keys.ts'
import { startTrouble } from './start-trouble.ts'
import { start } from './store/dynamodb-local.ts'

/**
 * `--check`: prints `ok`, or throws a `DataError` with one line per problem. The service does not
 * listen. Compares the data directory with the store. For that it starts a local store and stops it
 * again; a store that a running service already uses is left running.
 */
export async function tellCheck(config: Config, problems: readonly string[]): Promise<void> {
  const all = [...problems]
  if (all.length === 0) all.push(...(await problemsWithStore(config)))
  if (all.length > 0) throw new DataError(all.join('\n'))
  process.stdout.write('ok\n')
}

async function problemsWithStore(config: Config): Promise<string[]> {
  const { endpoint, region, table: name, program } = config.store
  if (endpoint) return compare(config, { endpoint, region, table: name })
  const directory = join(config.dataDirectory, 'dynamodb')
  // On a first start there is nothing to compare, and a check must not create anything.
  if (!existsSync(directory)) return []
  try {
    const store = await start(directory, { program })
    const { credentials } = store
    const address = { endpoint: store.endpoint, region: store.region, table: name, credentials }
    return await compare(config, address).finally(() => store.stop())
  } catch (error) {
    return [startTrouble(error)]
  }
}

async function compare(config: Config, address: StoreAddress): Promise<string[]> {
  const client = storeClient(address)
  try {
    await ensureTable(client)
    const record = installationRecord(table(client))
    const verdict = await judgeInstallation(config, record)
    if (typeof verdict !== 'string') return [`${config.dataDirectory}: ${verdict.refusal}`]
    const lost = (await record.isSetUp()) ? await judgeKeys(config, client) : []
    const needed = lost.filter(({ remedy }) => remedy !== undefined)
    return needed.length > 0 ? [linesOf(config.dataDirectory, needed)] : []
  } finally {
    client.close()
  }
}
