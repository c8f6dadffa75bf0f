import { ownEntry } from '../../../functions/compose/lookup.ts'
import { readSystemArchive } from '../../../functions/core/backups/system/read-system.ts'
import type {
  ArchiveDescription,
  SystemCounts,
  SystemFile,
} from '../../../functions/core/backups/system/system-parts.ts'
import { unusable } from '../../../functions/core/errors.ts'
import { readItems } from '../../store/import.ts'
import type { Item } from '../../store/item.ts'
import { formatOf } from '../../store/store-format.ts'
import { keyIdIn } from '../config/key-text.ts'
import { thisRelease, unreadable } from '../upgrade/release.ts'

/** The content of an archive that was read completely. */
export interface CheckedArchive {
  about: ArchiveDescription
  counts: SystemCounts
  files: SystemFile[]
  /** Numbers of users, stacks, hosts and API tokens, to show to a person. */
  records: Record<string, number>
  /** Ids of keys that encrypt values of the archive and that the archive lacks. */
  missingKeys: string[]
}

/** The names to show for counted records, by partition key. */
const recordNames: Record<string, string> = {
  accounts: 'users',
  tokens: 'API tokens',
  stacks: 'stacks',
  hosts: 'hosts',
}

/**
 * Reads a whole archive of the service, with every item and file. Returns its description, counts
 * and files.
 *
 * @throws 422 if it is damaged, truncated or incomplete, or was made by a newer version
 */
export async function checkArchive(chunks: AsyncIterable<Uint8Array>): Promise<CheckedArchive> {
  const files: SystemFile[] = []
  const records = Object.fromEntries(Object.values(recordNames).map((name) => [name, 0]))
  const usedKeys = new Set<string>()
  let about: ArchiveDescription | undefined
  let counts: SystemCounts | undefined
  for await (const part of readSystemArchive(chunks)) {
    if (part.kind === 'about') about = part.about
    else if (part.kind === 'end') counts = part.counts
    else if (part.kind === 'file') files.push(part)
    else {
      for (const item of readItems(part)) {
        const { pk, key } = item
        if (pk === 'store-format') refuseNewer(item)
        const name = ownEntry(recordNames, pk)
        if (name && part.table === 'items') records[name] = (records[name] ?? 0) + 1
        if (typeof key === 'string' && part.table === 'items') usedKeys.add(key)
      }
    }
  }
  if (!about || !counts) throw unusable('the archive of the service is incomplete')
  const known = keysIn(files, 'secret-key')
  keysIn(files, 'audit-key')
  const missingKeys = [...usedKeys].filter((id) => !known.has(id))
  return { about, counts, files, records, missingKeys }
}

/** @throws 422 if a newer version, with another format of the store, made the backup */
function refuseNewer(item: Item): void {
  const problem = unreadable(formatOf(item), thisRelease)
  if (problem) throw unusable(problem)
}

/** Returns the ids of a ring's keys. Throws if one of its files is not a key. */
function keysIn(files: SystemFile[], name: string): Set<string> {
  const keyFiles = files.filter(({ path }) => path === name || path.startsWith(`${name}s/`))
  return new Set(keyFiles.map(({ path, content }) => keyIdIn(String(content), `files/${path}`)))
}
