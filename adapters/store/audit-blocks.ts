import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AuditBlocks } from '../../functions/core/ports/audit-blocks.ts'
import type { StoredBlock } from '../../functions/core/records/audit-chain.ts'
import { type Item, newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

const chain = 'audit'
const checkpoint = { pk: 'audit-checkpoint', sk: '-' }
/** Blocks per query. */
const pageSize = 200

/**
 * Stores a block of audit rows as one item (`audit`, position) if there is none at that position.
 * The position is the number of its first row, so queries return blocks in order. The checkpoint,
 * before which older blocks were removed, is an item (`audit-checkpoint`, `-`). The table is the
 * one for logs.
 */
export function storedAuditBlocks(table: Table): AuditBlocks {
  return {
    put({ position, text }) {
      const data = text.length <= 2048 ? { data: text } : { zip: deflateRawSync(text) }
      return table.put({ pk: chain, sk: position, rev: newRevision(), ...data }, absent)
    },
    after: (position) => pages(table, { after: position }),
    newestFirst: () => pages(table, { newestFirst: true }),
    remove: (positions) => table.removeMany(positions.map((sk) => ({ pk: chain, sk }))),
    readCheckpoint: async () => (await table.get(checkpoint.pk, checkpoint.sk))?.data as string,
    writeCheckpoint(next, before) {
      const unchanged = { if: '#data = :before', values: { before: before ?? '' } }
      const item = { ...checkpoint, rev: newRevision(), data: next }
      return table.put(item, before === undefined ? absent : unchanged)
    },
  }
}

async function* pages(
  table: Table,
  options: { after?: string; newestFirst?: boolean },
): AsyncGenerator<StoredBlock> {
  let after = options.after
  for (;;) {
    const items = await table.query(chain, { ...options, after, limit: pageSize })
    for (const item of items) yield { position: item.sk, text: decodeText(item) }
    if (items.length < pageSize) return
    after = items.at(-1)?.sk
  }
}

/** Returns an empty text for a damaged item; the reader then reports it as an invalid block. */
function decodeText({ data, zip }: Item): string {
  try {
    if (zip === undefined) return String(data)
    return inflateRawSync(zip as Uint8Array, { maxOutputLength: 16 * 1024 ** 2 }).toString()
  } catch {
    return ''
  }
}
