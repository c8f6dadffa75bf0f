import { inflateRawSync } from 'node:zlib'
import type { Item } from './item.ts'
import type { Table } from './table.ts'
import { textPartition } from './text-keys.ts'

/** Tells which keys the contents of the store need. Every read is bounded. */
export interface KeyEvidence {
  /** Returns the id of the key that all values were encrypted with when they were last counted. */
  onlyKey(): Promise<string | undefined>
  /** Returns the ids of the keys that a sample of the encrypted values needs. */
  secretKeys(): Promise<string[]>
  /**
   * Returns the ids of the keys of the newest and the oldest audit rows, or undefined if a row is
   * missing or damaged.
   */
  auditKeys(): Promise<{ newest: string | undefined; oldest: string | undefined }>
}

/** The kinds of long-lived records that are encrypted as a whole. */
export const sealedKinds = [
  ...[
    'second-factors',
    'passkeys',
    'registries',
    'identity-providers',
    'alert-channels',
    'backup-jobs',
    'stack-hooks',
    'stack-jobs',
    'job-logs',
    'sources',
    'source-hooks',
    'variable-sets',
  ],
  'shared-keys',
]

/** Values per kind in the sample. */
const sampleSize = 20

/** Returns the evidence in the two tables; `logs` is the one with the audit rows. */
export function keyEvidence(items: Table, logs: Table): KeyEvidence {
  const options = { limit: sampleSize, attributes: ['key'] }
  return {
    onlyKey: async () => {
      const key = (await items.get('secret-keys', 'settled'))?.settled as string | undefined
      return key === 'none' ? undefined : key
    },
    async secretKeys() {
      const found = await Promise.all([
        ...sealedKinds.map((kind) => items.query(kind, options)),
        items.queryIndex(textPartition, options),
        newestRuns(items),
      ])
      return [...new Set(found.flat().flatMap(({ key }) => (typeof key === 'string' ? key : [])))]
    },
    async auditKeys() {
      const end = (newestFirst: boolean) => logs.query('audit', { newestFirst, limit: 1 })
      const [[newest], [oldest]] = await Promise.all([end(true), end(false)])
      return { newest: parseBlockKey(newest), oldest: parseBlockKey(oldest) }
    },
  }
}

async function newestRuns(items: Table): Promise<Item[]> {
  const rows = await items.query('backup-runs', { newestFirst: true, limit: sampleSize })
  if (rows.length === 0) return []
  return items.getMany(rows.map(({ sk, job }) => ({ pk: `backup-runs#${job}`, sk })))
}

/** Returns undefined for a damaged block; the check of the audit rows reports it. */
function parseBlockKey(block: Item | undefined): string | undefined {
  if (!block) return undefined
  try {
    const { zip, data } = block
    const options = { maxOutputLength: 16 * 1024 ** 2 }
    const text =
      zip === undefined ? String(data) : String(inflateRawSync(zip as Uint8Array, options))
    const { key } = JSON.parse(text) as { key?: unknown }
    return typeof key === 'string' ? key : undefined
  } catch {
    return undefined
  }
}
