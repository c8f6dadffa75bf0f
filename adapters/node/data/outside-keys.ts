import type { KeyRing } from '../../../functions/core/records/keys.ts'
import type { InstallationRecord } from '../../store/installation.ts'
import type { Config } from '../config/config.ts'
import { parseKeys } from '../keys/key-text.ts'

/**
 * Returns the keys of `SERVICE_SECRET_KEY`, the first one as the current one, or undefined if the
 * keys of this process are files.
 */
export function outsideKeys({
  keyPlace,
  secretKey,
}: Pick<Config, 'keyPlace' | 'secretKey'>): KeyRing | undefined {
  if (keyPlace === 'files' || secretKey === undefined) return undefined
  const keys = parseKeys(secretKey, 'SERVICE_SECRET_KEY')
  const [first] = keys
  return (
    first && { current: first.id, keys: Object.fromEntries(keys.map(({ id, key }) => [id, key])) }
  )
}

/**
 * Makes the first outside key of this process the one that seals the keys in the store, for all
 * processes. A key that was in use before stays retired: otherwise processes with the keys in a
 * different order would re-encrypt against each other. Returns the id of the retired key that this
 * process names first, if it does.
 */
export async function moveToFirst(
  outside: KeyRing,
  record: InstallationRecord,
): Promise<string | undefined> {
  const first = outside.current
  // Another process may move it at the same time. Each try sees a key that was never tried before.
  for (;;) {
    const seal = await record.keySeal(outside)
    if (!seal || seal.key === first) return undefined
    if (seal.retired.includes(first)) return first
    await record.moveSeal(outside, seal.key)
  }
}
