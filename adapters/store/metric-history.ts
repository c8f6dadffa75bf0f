import { historyRetention, sampledId } from '../../functions/core/metrics/history.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { MetricHistory } from '../../functions/core/ports/metric-history.ts'
import type { ContainerPoint, HostSample } from '../../functions/core/records/metrics.ts'
import { newRevision, packed, ttlAt } from './item.ts'
import { type Block, type BlockSample, blockOf, pointOf, type Row, rowOf } from './metric-block.ts'
import type { Table } from './table.ts'

/**
 * With more containers than this, a host's rows are split by the first digit of the container id,
 * so that reading one container reads few others.
 */
const togetherMax = 128
const digits = [...'0123456789abcdef']
/** A block takes samples for this many milliseconds and up to this many characters. */
const blockLong = 5 * 60_000
const blockCharactersMax = 64 * 1024
/**
 * Blocks to read for the newest sample: within the time of one block, several processes may have
 * sampled the host.
 */
const newestBlocks = 4

/** A block that this process is still writing. */
interface OpenBlock {
  sk: string
  from: number
  samples: BlockSample[]
  characters: number
}

/**
 * Stores samples in blocks. An item (`metrics#<host>`, time of the first sample and a mark of the
 * writer) has up to five minutes of a host's samples, and is rewritten with each sample. With many
 * containers, their samples are in separate items (`metrics#<host>#<first digit>`), which are
 * written before the host's. A process only appends to blocks that it began, so it never has to
 * read before it writes. A block expires an hour after its last possible sample, and samples older
 * than an hour are not returned. Times have 13 digits, so they sort by time.
 */
export function storedMetricHistory(table: Table, clock: Clock): MetricHistory {
  const open = new Map<string, OpenBlock>()
  const oldest = (since: number) => Math.max(since, clock.now() - historyRetention)
  const read = async (pk: string, since: number): Promise<BlockSample[]> => {
    const first = oldest(since)
    const items = await table.query(pk, { after: timeOf(first - blockLong - 1) })
    const samples = items.flatMap((item) => blockOf(item))
    return samples.filter(({ at }) => at >= first).sort((one, other) => one.at - other.at)
  }
  const newest = async (pk: string): Promise<BlockSample | undefined> => {
    const items = await table.query(pk, { newestFirst: true, limit: newestBlocks })
    const samples = items.flatMap((item) => blockOf(item))
    const last = samples.reduce<BlockSample | undefined>(
      (found, one) => (found && found.at >= one.at ? found : one),
      undefined,
    )
    return last && last.at >= oldest(0) ? last : undefined
  }
  const write = async (pk: string, sample: BlockSample) => {
    const block = continued(open.get(pk), sample)
    open.set(pk, block)
    const ttl = ttlAt(block.from + blockLong + historyRetention)
    const content: Block = block.samples.map(({ at, host, rows }) => [at, host ?? null, rows])
    await table.put({ pk, sk: block.sk, ttl, ...packed(content) })
  }
  return {
    async add(hostId, { host, containers }) {
      forgetOld(open, clock.now())
      const { together, spread } = partsOf(containers)
      await Promise.all(
        [...spread].map(([digit, rows]) => write(partition(hostId, digit), { at: host.at, rows })),
      )
      await write(partition(hostId), { at: host.at, host, rows: together })
    },
    ofHost: async (hostId, since) =>
      (await read(partition(hostId), since)).flatMap(({ host }) => host ?? []),
    async ofContainer(hostId, containerId, since) {
      const id = sampledId(containerId)
      const places = [partition(hostId), partition(hostId, containerId[0] ?? '')]
      const samples = (await Promise.all(places.map((pk) => read(pk, since)))).flat()
      return samples.flatMap((sample) => pointIn(sample, id)).sort((a, b) => a.at - b.at)
    },
    lastAt: async (hostId) => (await newest(partition(hostId)))?.host,
    async latest(hostId) {
      const last = await newest(partition(hostId))
      if (!last?.host) return undefined
      const spread = last.host.running > togetherMax ? digits : []
      const parts = await Promise.all(spread.map((digit) => newest(partition(hostId, digit))))
      const rows = parts.flatMap((part) => (part?.at === last.at ? part.rows : []))
      const containers = [...last.rows, ...rows].map((row) => ({ id: row[0], point: pointOf(row) }))
      return { host: last.host, containers }
    },
  }
}

const partition = (hostId: string, digit?: string) =>
  digit === undefined ? `metrics#${hostId}` : `metrics#${hostId}#${digit}`

const timeOf = (at: number) => String(Math.max(0, at)).padStart(13, '0')

/**
 * Returns the block with one more sample, or a new block if that one is full, too old, or newer
 * than the sample.
 */
function continued(block: OpenBlock | undefined, sample: BlockSample): OpenBlock {
  const characters = JSON.stringify(sample).length
  const isContinued =
    block !== undefined &&
    sample.at >= (block.samples.at(-1)?.at ?? 0) &&
    sample.at < block.from + blockLong &&
    block.characters + characters <= blockCharactersMax
  if (!isContinued) {
    const sk = `${timeOf(sample.at)}-${newRevision()}`
    return { sk, from: sample.at, samples: [sample], characters }
  }
  const samples = [...block.samples, sample]
  return { ...block, samples, characters: block.characters + characters }
}

/** Drops the blocks of hosts that this process no longer samples. */
function forgetOld(open: Map<string, OpenBlock>, now: number): void {
  for (const [pk, { from }] of open) {
    if (from + 2 * blockLong < now) open.delete(pk)
  }
}

function partsOf(containers: HostSample['containers']): {
  together: Row[]
  spread: Map<string, Row[]>
} {
  const spread = new Map<string, Row[]>()
  if (containers.length <= togetherMax) return { together: containers.map(rowOf), spread }
  for (const one of containers) {
    const digit = one.id[0] ?? ''
    const rows = spread.get(digit) ?? []
    rows.push(rowOf(one))
    spread.set(digit, rows)
  }
  return { together: [], spread }
}

function pointIn({ at, rows }: BlockSample, id: string): ContainerPoint[] {
  const row = rows.find(([its]) => its === id)
  return row ? [{ at, ...pointOf(row) }] : []
}
