import type { InstallationRecord, KeySeal } from '../../store/installation.ts'
import type { Config } from '../config/config.ts'
import { keyFiles } from '../keys/key-files.ts'
import { keyFileNames } from './import-keys.ts'
import { outsideKeys } from './outside-keys.ts'

/**
 * Returns why this process cannot use the keys of the installation where they are, or undefined if
 * it can. Changes nothing.
 *
 * @param seal that of the installation, as just read with the outside keys of this process
 */
export async function sealProblem(
  config: Config,
  record: InstallationRecord,
  seal: KeySeal | undefined,
): Promise<string | undefined> {
  const outside = outsideKeys(config)
  if (!outside) return seal && inStore(seal)
  const hasFiles = (await keyFileNames(keyFiles(config.dataDirectory))).length > 0
  if (!seal) {
    const isUsed = (await record.find()) !== undefined || (await record.isSetUp())
    if (!isUsed || hasFiles) return undefined
    // A process that starts at the same moment may have claimed the store since the seal was read.
    const current = await record.keySeal(outside)
    return current ? sealProblem(config, record, current) : elsewhere
  }
  if (!seal.opens) return otherKey(seal, Object.keys(outside.keys))
  return seal.importing && !hasFiles ? copying : undefined
}

const inStore = ({ key }: KeySeal) =>
  `the keys of this installation are in the store. Set SERVICE_KEYS=store, and SERVICE_SECRET_KEY to the key ${key}; to have the keys in files again, restore a system backup without SERVICE_KEYS`

/** Returns the text for a process that does not have the key in use. `ids`: those that it has. */
export function otherKey({ key, retired }: KeySeal, ids: readonly string[]): string {
  const back = 'A key that was replaced cannot be used again. '
  const isBack = ids.some((id) => retired.includes(id))
  return `SERVICE_SECRET_KEY is not the key that sealed the keys in the store: they need the key ${key}, and it holds ${ids.join(', ')}. ${isBack ? back : ''}Nothing was changed`
}

const elsewhere =
  'the keys of this installation are files, and this data directory does not have them. Start the process that has the key files with SERVICE_KEYS=store first'
const copying =
  'another process has begun to copy the keys in its data directory to the store. Start that process first'
