import {
  type ContainerPoint,
  type HostPoint,
  type HostSample,
  historyKept,
  type MetricHistory,
  sampledId,
} from '../../functions/core/metrics/history.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { packed, ttlAt, unpacked } from './item.ts'
import type { Table } from './table.ts'

/** With more containers a host's rows are spread by the first digit of the id, so that to read one reads few others. */
const togetherMax = 128
const digits = [...'0123456789abcdef']

/** A container's figures without their names, which would be most of the row. */
type Row = [string, number | null, ...number[]]

/**
 * A look at a host is an item (`metrics#<host>`, time) with the host's own figures, written after one
 * (`metrics#<host>#<first digit>`, time; without a digit where there are few) with those of its containers. They go by
 * themselves after an hour, and are not found from then on. Times are 13 digits, so that they are in order.
 */
export function dynamoMetricHistory(table: Table, clock: Clock): MetricHistory {
  const pkOf = (hostId: string, digit?: string) =>
    digit === undefined ? `metrics#${hostId}` : `metrics#${hostId}#${digit}`
  const oldest = (since: number) => Math.max(since, clock.now() - historyKept)
  const read = (pk: string, since: number) => table.query(pk, { after: keyOf(oldest(since) - 1) })
  const last = async (pk: string) => {
    const [item] = await table.query(pk, { newestFirst: true, limit: 1 })
    return item && Number(item.sk) >= oldest(0) ? item : undefined
  }
  const lastAt = async (hostId: string) => {
    const item = await last(pkOf(hostId))
    return item && unpacked<HostPoint>(item)
  }
  return {
    async add(hostId, { host, containers }) {
      const sk = keyOf(host.at)
      const ttl = ttlAt(host.at + historyKept)
      const parts = partsOf(containers)
      await Promise.all(
        [...parts].map(([digit, rows]) =>
          table.put({ pk: pkOf(hostId, digit), sk, ttl, ...packed(rows) }),
        ),
      )
      await table.put({ pk: pkOf(hostId), sk, ttl, ...packed(host) })
    },
    ofHost: async (hostId, since) =>
      (await read(pkOf(hostId), since)).map((item) => unpacked<HostPoint>(item)),
    async ofContainer(hostId, containerId, since) {
      const parts = ['', containerId[0] ?? ''].map((digit) => read(pkOf(hostId, digit), since))
      const id = sampledId(containerId)
      const points = (await Promise.all(parts)).flat().flatMap((item) => {
        const row = unpacked<Row[]>(item).find(([its]) => its === id)
        return row ? [{ at: Number(item.sk), ...pointOf(row) }] : []
      })
      return points.sort((one, other) => one.at - other.at)
    },
    lastAt,
    async latest(hostId) {
      const host = await lastAt(hostId)
      if (!host) return undefined
      const spread = host.running > togetherMax ? digits : []
      const parts = await Promise.all(['', ...spread].map((digit) => last(pkOf(hostId, digit))))
      const rows = parts.flatMap((item) =>
        item?.sk === keyOf(host.at) ? unpacked<Row[]>(item) : [],
      )
      return { host, containers: rows.map((row) => ({ id: row[0], point: pointOf(row) })) }
    },
  }
}

const keyOf = (at: number) => String(Math.max(0, at)).padStart(13, '0')

function partsOf(containers: HostSample['containers']): Map<string, Row[]> {
  const isSpread = containers.length > togetherMax
  const parts = new Map<string, Row[]>()
  for (const one of containers) {
    const digit = isSpread ? (one.id[0] ?? '') : ''
    const rows = parts.get(digit) ?? []
    rows.push(rowOf(one))
    parts.set(digit, rows)
  }
  return parts
}

function rowOf({ id, point }: HostSample['containers'][number]): Row {
  const { cpuPercent, memory, memoryPercent, networkRx, networkTx } = point
  const { blockRead, blockWrite, pids } = point
  return [
    ...([id, cpuPercent] as const),
    ...[memory, memoryPercent, networkRx, networkTx, blockRead, blockWrite, pids],
  ]
}

function pointOf([, cpuPercent, ...figures]: Row): Omit<ContainerPoint, 'at'> {
  const [memory = 0, memoryPercent = 0, networkRx = 0, networkTx = 0, ...more] = figures
  const [blockRead = 0, blockWrite = 0, pids = 0] = more
  return { cpuPercent, memory, memoryPercent, networkRx, networkTx, blockRead, blockWrite, pids }
}
