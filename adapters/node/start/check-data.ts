import { existsSync } from 'node:fs'
import { installationRecord } from '../../store/installation.ts'
import type { Store } from '../../store/store.ts'
import { storeFormatRecord } from '../../store/store-format.ts'
import type { Config } from '../config/config.ts'
import { DataError } from '../data/check.ts'
import { judgeInstallation } from '../data/claim.ts'
import { judgeKeys } from '../data/judge-keys.ts'
import { linesOf } from '../data/lost-keys.ts'
import { thisRelease, unreadable } from '../upgrade/release.ts'
import { openConfiguredStore, storeDirectory } from './configured-store.ts'
import { startTrouble } from './start-trouble.ts'

/**
 * `--check`: compares the data directory with the store and prints `ok`. The service does not
 * listen. Starts a local store for the comparison and stops it again. A store that a running
 * service already uses keeps running.
 *
 * @throws DataError with one line per problem
 */
export async function printCheck(config: Config, problems: readonly string[]): Promise<void> {
  const all = [...problems]
  if (all.length === 0) all.push(...(await problemsWithStore(config)))
  if (all.length > 0) throw new DataError(all.join('\n'))
  process.stdout.write('ok\n')
}

async function problemsWithStore(config: Config): Promise<string[]> {
  const directory = storeDirectory(config)
  // On a first start there is nothing to compare, and a check must not create anything.
  if (directory && !existsSync(directory)) return []
  try {
    const { store, stop } = await openConfiguredStore(config)
    return await compare(config, store).finally(stop)
  } catch (error) {
    if (directory) return [startTrouble(error)]
    throw error
  }
}

async function compare(config: Config, store: Store): Promise<string[]> {
  await store.ensure()
  const format = await storeFormatRecord(store.items).find()
  const problem = format && unreadable(format, thisRelease)
  if (problem) return [problem]
  const record = installationRecord(store.items)
  const verdict = await judgeInstallation(config, record)
  if (typeof verdict !== 'string') return [`${config.dataDirectory}: ${verdict.refusal}`]
  const lost = (await record.isSetUp()) ? await judgeKeys(config, store) : []
  const needed = lost.filter(({ remedy }) => remedy !== undefined)
  return needed.length > 0 ? [linesOf(config.dataDirectory, needed)] : []
}
