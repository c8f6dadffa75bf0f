import { readSystemArchive } from '../../../functions/core/backups/read-system.ts'
import type {
  SystemAbout,
  SystemCounts,
  SystemFile,
} from '../../../functions/core/backups/system-parts.ts'
import { unprocessable } from '../../../functions/core/errors.ts'
import { readItems } from '../../dynamo/import.ts'
import { keyIdIn } from '../key-ring.ts'

/** The content of an archive that was read completely. */
export interface CheckedArchive {
  about: SystemAbout
  counts: SystemCounts
  files: SystemFile[]
  /** Numbers of users, stacks, hosts and API tokens, to show to a person. */
  records: Record<string, number>
  /** Ids of keys that the archive's values are encrypted with but that it does not have. */
  missingKeys: string[]
}

const counted: Record<string, string> = {
  accounts: 'users',
  tokens: 'API tokens',
  stacks: 'stacks',
  hosts: 'hosts',
}

/**
 * Reads an archive of the service to its end, with every item and file. Returns the files.
 *
 * @throws 422 if it is damaged, truncated or incomplete
 */
export async function checkArchive(chunks: AsyncIterable<Uint8Array>): Promise<CheckedArchive> {
  const files: SystemFile[] = []
  const records = Object.fromEntries(Object.values(counted).map((name) => [name, 0]))
  const usedKeys = new Set<string>()
  let about: SystemAbout | undefined
  let counts: SystemCounts | undefined
  for await (const part of readSystemArchive(chunks)) {
    if (part.kind === 'about') about = part.about
    else if (part.kind === 'end') counts = part.counts
    else if (part.kind === 'file') files.push(part)
    else {
      for (const { pk, key } of readItems(part)) {
        const name = counted[pk?.S ?? '']
        if (name && part.table === 'items') records[name]! += 1
        if (key?.S && part.table === 'items') usedKeys.add(key.S)
      }
    }
  }
  if (!about || !counts) throw unprocessable('the archive of the service is not whole')
  const known = keysIn(files, 'secret-key')
  keysIn(files, 'audit-key')
  const missingKeys = [...usedKeys].filter((id) => !known.has(id))
  return { about, counts, files, records, missingKeys }
}

/** Returns the ids of a ring's keys. Throws if one of its files is not a key. */
function keysIn(files: SystemFile[], name: string): Set<string> {
  const ofRing = files.filter(({ path }) => path === name || path.startsWith(`${name}s/`))
  return new Set(ofRing.map(({ path, content }) => keyIdIn(String(content), `files/${path}`)))
}
