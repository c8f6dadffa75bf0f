import { blockMs } from '../../functions/core/metrics/usage-points.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { UsageHistory } from '../../functions/core/ports/usage-history.ts'
import type { UsageBlock, UsageStep } from '../../functions/core/records/usage-history.ts'
import { type Item, packed, ttlAt, unpacked } from './item.ts'
import type { Table } from './table.ts'
import { type PackedBlock, packBlock, unpackBlock } from './usage-block.ts'

/**
 * Stores each block as an item: `metrics#<host>#<step>`, the beginning of its period and its mark.
 * A block has at most 24 points of 100 containers, which is far below the 400 KB of an item. Times
 * have 13 digits, so they sort by time.
 */
export function storedUsageHistory(table: Table, clock: Clock): UsageHistory {
  return {
    async put(hostId, block, expiresAt) {
      const sk = `${timeOf(block.from)}-${block.mark}`
      const key = { pk: partition(hostId, block.step), sk }
      await table.put({ ...key, ttl: ttlAt(expiresAt), ...packed(packBlock(block)) })
    },
    async list(hostId, step, since) {
      // A period that ends at `since` has nothing newer.
      const after = timeOf(since - blockMs[step] + 1)
      const items = await table.query(partition(hostId, step), { after })
      const now = clock.now()
      return items.filter((item) => !isExpired(item, now)).map((item) => blockOf(item, step))
    },
  }
}

const partition = (hostId: string, step: UsageStep) => `metrics#${hostId}#${step}`

const timeOf = (at: number) => String(Math.max(0, at)).padStart(13, '0')

const isExpired = ({ ttl }: Item, now: number) => ttl !== undefined && ttl * 1000 <= now

function blockOf(item: Item, step: UsageStep): UsageBlock {
  const split = item.sk.indexOf('-')
  const place = { step, from: Number(item.sk.slice(0, split)), mark: item.sk.slice(split + 1) }
  return unpackBlock(unpacked<PackedBlock>(item), place)
}
