import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { InstallationRecord } from '../../store/installation.ts'
import { sealedItems } from '../../store/sealed-items.ts'
import { sealedKeys } from '../../store/sealed-keys.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../config/config.ts'
import { keyFiles } from '../keys/key-files.ts'
import { systemClock } from '../process/clock.ts'
import { DataError } from './check.ts'
import { importKeys, keyFileNames } from './import-keys.ts'
import { moveToFirst } from './move-seal.ts'
import { outsideKeys } from './outside-keys.ts'
import { markRemoved } from './removed-keys.ts'
import { sealProblem } from './seal-problem.ts'

/** Returns the places in which this process may find keys, the one that it uses first. */
export function keyStores(
  config: Config,
  { items, place }: Pick<Store, 'items' | 'place'>,
): [KeyStore, ...KeyStore[]] {
  const files = keyFiles(config.dataDirectory)
  const outside = outsideKeys(config)
  if (!outside) return [files]
  const stored = sealedKeys(items, outside, place)
  const remove = async (name: string) => {
    await markRemoved(stored, name)
    await stored.remove(name)
  }
  return [{ ...stored, remove }, files]
}

/**
 * Opens the keys of the installation: files, or with `SERVICE_KEYS=store` items in the store. Key
 * files that the store lacks are copied there. Call it after the keys were judged.
 *
 * @throws DataError if the keys in the store are sealed with another outside key, or if the files
 *   that are copied are not those of the installation
 */
export async function openKeyStore(
  config: Config,
  store: Store,
  record: InstallationRecord,
  log: Log,
): Promise<KeyStore> {
  const [keys, files] = keyStores(config, store)
  const outside = outsideKeys(config)
  if (!outside || !files) return keys
  // From here on no process that starts creates key files, and none without them creates keys.
  const hasFiles = (await keyFileNames(files)).length > 0
  await record.sealKeys({ outside, importing: hasFiles })
  const problem = await sealProblem(config, record, await record.keySeal(outside))
  if (problem) throw new DataError(`${config.dataDirectory}: ${problem}`)
  const retired = await moveToFirst(outside, record).catch((error: Error) => {
    throw new DataError(`${config.dataDirectory}: ${error.message}`)
  })
  const used = await keys.sealedWith?.()
  if (retired) log.warn(replacedFirst, { key: retired, used })
  await copyFiles(config, { files, stored: keys }, record, log)
  // A process that used the former key until now may have written values after they were counted.
  if (Object.keys(outside.keys).length > 1)
    await sealedItems(store.items, outside, systemClock).recordOnlyKey(null)
  const remove = async (name: string) => {
    await files.remove(name)
    await keys.remove(name)
  }
  return { ...keys, remove }
}

const replacedFirst = 'SERVICE_SECRET_KEY begins with a key that was replaced, which is not used'

/** @throws DataError if another process copies other key files at the same time */
async function copyFiles(
  config: Config,
  places: { files: KeyStore; stored: KeyStore },
  record: InstallationRecord,
  log: Log,
): Promise<void> {
  const isFirst = (await record.keySeal(undefined))?.importing ?? false
  const { copied, differing } = await importKeys(places, config, isFirst)
  // Signing keys are replaced from time to time, so the file may be older, also one from a backup.
  const foreign = differing.filter((name) => name !== 'signing-keys.json')
  const paths = foreign.map((name) => places.files.where(name)).join(', ')
  if (foreign.length > 0 && isFirst) {
    throw new DataError(
      `${paths}: another process copied another key of that name to the store. Only one data directory can be copied: move the key files of this one away if the other one has the keys of this installation`,
    )
  }
  if (foreign.length > 0) log.warn('key files differ from the store, and are not used', { paths })
  if (isFirst) await record.endImport()
  if (copied.length > 0) {
    log.info('the keys in the data directory were copied to the store, and are used from there', {
      files: copied,
    })
  }
}
