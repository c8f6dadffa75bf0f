import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { KeyRing } from '../../../functions/core/records/keys.ts'
import type { InstallationRecord } from '../../store/installation.ts'
import { sealedKeys } from '../../store/sealed-keys.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../config/config.ts'
import { keyFiles } from '../keys/key-files.ts'
import { parseKeys } from '../keys/key-text.ts'
import { DataError } from './check.ts'
import { importKeys, keyFileNames } from './import-keys.ts'

/** Returns the keys of `SERVICE_SECRET_KEY`, or undefined if it is not set. */
export function outsideKeys({ secretKey }: Pick<Config, 'secretKey'>): KeyRing | undefined {
  if (secretKey === undefined) return undefined
  const keys = parseKeys(secretKey, 'SERVICE_SECRET_KEY')
  const [first] = keys
  return (
    first && { current: first.id, keys: Object.fromEntries(keys.map(({ id, key }) => [id, key])) }
  )
}

/** Returns the places in which this process may find keys, the one that it uses first. */
export function keyStores(
  config: Config,
  { items, place }: Pick<Store, 'items' | 'place'>,
): [KeyStore, ...KeyStore[]] {
  const files = keyFiles(config.dataDirectory)
  const outside = outsideKeys(config)
  return outside ? [sealedKeys(items, outside, place), files] : [files]
}

/**
 * Returns why the keys in the store cannot be used by this process, or undefined if they can, or if
 * the keys are files. Changes nothing.
 */
export async function sealProblem(
  config: Config,
  record: InstallationRecord,
): Promise<string | undefined> {
  const outside = outsideKeys(config)
  const seal = await record.keySeal(outside)
  if (!seal) return undefined
  if (!outside) {
    return `the keys of this installation are in the store, sealed with SERVICE_SECRET_KEY, which is not set. Set it to the key ${seal.key}; to have the keys in files again, restore a system backup without it`
  }
  if (!seal.opens) {
    return `SERVICE_SECRET_KEY is not the key that sealed the keys in the store: they need the key ${seal.key}, and it holds ${Object.keys(outside.keys).join(', ')}. Nothing was changed`
  }
  const isCopying =
    seal.importing && (await keyFileNames(keyFiles(config.dataDirectory))).length === 0
  return isCopying
    ? 'another process has begun to copy the keys in its data directory to the store. Start that process first'
    : undefined
}

/**
 * Opens the keys of the installation: files, or with `SERVICE_SECRET_KEY` items in the store. Key
 * files that the store lacks are copied there. Call it after the keys were judged.
 *
 * @throws DataError if another outside key seals the keys in the store
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
  const importing = (await keyFileNames(files)).length > 0
  // From here on no process creates key files, and none without key files creates keys.
  await record.sealKeys({ outside, importing })
  const problem = await sealProblem(config, record)
  if (problem) throw new DataError(`${config.dataDirectory}: ${problem}`)
  const copied = await importKeys({ files, stored: keys }, config, await record.isSetUp())
  if (importing) await record.endImport()
  if (copied.length > 0) {
    log.info('the keys in the data directory were copied to the store, and are used from there', {
      files: copied,
    })
  }
  // A deleted key must not come back from its file at the next start.
  const remove = async (name: string) => {
    await keys.remove(name)
    await files.remove(name)
  }
  return { ...keys, remove }
}
