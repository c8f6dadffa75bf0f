import type { KeyRing } from '../../../functions/core/records/keys.ts'
import type { InstallationRecord } from '../../store/installation.ts'
import { otherKey } from './seal-problem.ts'

/**
 * Makes the first outside key of this process the one that seals the keys in the store, for all
 * processes. A key that was in use before stays retired: otherwise processes with the keys in a
 * different order would re-encrypt against each other. Returns the id of the retired key that this
 * process names first, if it does.
 *
 * @throws Error if another process has moved the seal to a key that this one does not have
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
    if (!seal.opens) throw new Error(otherKey(seal, Object.keys(outside.keys)))
    if (seal.retired.includes(first)) return first
    await record.moveSeal(outside, seal.key)
  }
}
