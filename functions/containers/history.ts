import { z } from 'zod'
import { getContainerId } from '../core/hosts/container-id.ts'
import { targetHost } from '../core/hosts/target.ts'
import { findSeries, readUsage } from '../core/metrics/read-usage.ts'
import { containerNumber, seriesKey } from '../core/metrics/usage-key.ts'
import type { Engine } from '../core/ports/engine.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { UsageSeries } from '../core/records/usage-history.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import {
  pointFields,
  pointsMax,
  recordFields,
  showPoint,
  showRecord,
  UsageQuery,
} from '../kit/usage-history.ts'
import { ContainerPath } from './schema.ts'

const Point = z.object(pointFields).meta({ id: 'ContainerHistoryPoint' })

const History = z
  .object({
    ...recordFields,
    points: z
      .array(Point)
      .max(pointsMax)
      .describe('Oldest first. Times in which it did not run have none'),
  })
  .meta({ id: 'ContainerHistory' })

export default endpoint({
  summary: 'Show the resource usage of a container over days',
  description:
    'Mean and largest value of each minute, ten minutes or hour. A container of a service has the history of those that it replaced: it is kept by stack, service and number, or by name.',
  access: 'containers:read',
  atService: true,
  path: ContainerPath,
  query: HostQuery.extend(UsageQuery.shape),
  returns: History,
  errors: { 404: 'No container or host has that id' },
  examples: {
    returns: {
      from: '2026-05-31T12:00:00.000Z',
      to: '2026-06-01T12:00:00.000Z',
      step_seconds: 600,
      recording: true,
      points: [
        {
          time: '2026-06-01T11:50:00.000Z',
          cpu_percent: { mean: 12.5, max: 80 },
          memory: { mean: 10_485_760, max: 12_582_912 },
          network_rx: { mean: 1200, max: 56_000 },
          network_tx: { mean: 800, max: 12_000 },
          block_read: { mean: 0, max: 4096 },
          block_write: { mean: 8192, max: 65_536 },
        },
      ],
    },
  },

  async run(
    { path, query, caller },
    ports: Needs<'hosts' | 'engines' | 'usageHistory' | 'settings' | 'clock'>,
  ) {
    const host = await targetHost(query.host, caller, ports)
    const record = await readUsage(host.id, query.range, ports)
    const own = await ownSeries(record.series, host.id, path.id, ports)
    return { ...showRecord(record), points: (own?.points ?? []).map(showPoint) }
  },
})

/**
 * Returns the series of a container; undefined if it was not measured. One that is gone, or whose
 * host does not respond, is found by its full id or its name. A name is that of the container which
 * the host has now, if it has one.
 *
 * @throws 404 if there is none
 */
async function ownSeries(
  series: readonly UsageSeries[],
  hostId: string,
  named: string,
  ports: Needs<'engines'>,
): Promise<UsageSeries | undefined> {
  const known = findSeries(series, named)
  if (known && known.name !== named) return known
  try {
    const key = await keyOnHost(await ports.engines.on(hostId), named)
    return series.find((one) => one.key === key)
  } catch (error) {
    if (known) return known
    throw error
  }
}

/**
 * Returns the key of a container that the host has.
 *
 * @throws 404 if there is none
 */
async function keyOnHost(engine: Engine, named: string): Promise<string | undefined> {
  const id = await getContainerId(engine, named)
  const found = (await engine.containers({ all: true })).find((one) => one.id === id)
  return found && seriesKey({ ...found, number: containerNumber(found.labels) })
}
