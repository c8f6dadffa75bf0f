import type { ContainerPoint, HostPoint, HostSample } from '../../functions/core/records/metrics.ts'
import { type Item, unpacked } from './item.ts'

/** A container's sample without property names, which would be most of its size. */
export type Row = [string, number | null, ...number[]]

/** A sample of a host, or a part of one in an item of its own, which has no `host`. */
export interface BlockSample {
  at: number
  host?: HostPoint | undefined
  rows: Row[]
}

/** The content of an item: time, sample of the host, and samples of its containers. */
export type Block = [number, HostPoint | null, Row[]][]

/**
 * Returns the samples in an item, oldest first. Returns none for items of earlier versions, which
 * had one sample each.
 */
export function blockOf(item: Item): BlockSample[] {
  if (!item.sk.includes('-')) return []
  return unpacked<Block>(item).map(([at, host, rows]) => ({ at, host: host ?? undefined, rows }))
}

export function rowOf({ id, point }: HostSample['containers'][number]): Row {
  const { cpuPercent, memory, memoryPercent, networkRx, networkTx } = point
  const { blockRead, blockWrite, pids } = point
  return [
    ...([id, cpuPercent] as const),
    ...[memory, memoryPercent, networkRx, networkTx, blockRead, blockWrite, pids],
  ]
}

export function pointOf([, cpuPercent, ...figures]: Row): Omit<ContainerPoint, 'at'> {
  const [memory = 0, memoryPercent = 0, networkRx = 0, networkTx = 0, ...more] = figures
  const [blockRead = 0, blockWrite = 0, pids = 0] = more
  return { cpuPercent, memory, memoryPercent, networkRx, networkTx, blockRead, blockWrite, pids }
}
