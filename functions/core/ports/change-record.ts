import { conflict } from '../errors.ts'
import type { Collection, Stored } from './collection.ts'

/** The maximum number of tries when other changes of the same record are written first. */
const triesMax = 20

/**
 * Changes a record. If another change was written first, it reads the record and tries again.
 * Returns the record as written, or undefined, without a write, if there is none or `change`
 * returns undefined.
 *
 * @param what begins the message of the 409, such as `stack shop: its hook`
 * @param known the record as it was just read
 * @throws 409 if other changes are always written first
 */
export async function changeRecord<T extends { id: string }>(
  records: Pick<Collection<T>, 'find' | 'replace'>,
  id: string,
  change: (now: Stored<T>) => Partial<T> | undefined,
  what: string,
  known?: Stored<T>,
): Promise<Stored<T> | undefined> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const now = (tries === 0 && known) || (await records.find(id))
    const changed = now && change(now)
    if (!changed) return undefined
    const written = await records.replace({ ...now, ...changed })
    if (written) return written
  }
  throw conflict(`${what} is being changed by another request, try again`)
}
