import { latestSample, type Measure, percentOf } from '../../data/host-samples.ts'
import { type HostMetrics, useHostMetrics } from '../../data/hosts.ts'
import type { HostId } from '../../host-ids.ts'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Meter } from '../../parts/meter.tsx'
import { None } from '../../parts/none.tsx'
import { t } from '../../text/text.ts'

/** Returns the used and the total amount: "1.2 GiB of 4 GiB". */
export function amountOf(sample: HostMetrics, of: Measure): string | undefined {
  const [used, total] =
    of === 'memory'
      ? [sample.memory, sample.memory_total]
      : of === 'disk'
        ? [sample.disk, sample.disk_total]
        : [null, null]
  return used === null || total === null
    ? undefined
    : t.hosts.usedOf(formatBytes(used), formatBytes(total))
}

interface GaugeProps {
  host: HostId
  of: Measure
  /** Also shows the label and the amounts. Otherwise shows the figure alone, for a cell. */
  isFull?: boolean
}

/** A live gauge of a host. The CPU gauge loads the samples for all gauges. */
export function Gauge({ host, of, isFull = false }: GaugeProps) {
  const { value } = useHostMetrics(host, isFull ? 60 : 10, of === 'cpu')
  const sample = latestSample(value.value, of)
  const percent = sample && percentOf(sample, of)
  if (!sample || percent === undefined || percent === null) {
    if (!isFull) return <None />
    return <span class="quiet-text">{`${t.hosts[of]}: ${t.hosts.notMeasured}`}</span>
  }
  const amount = amountOf(sample, of)
  const figure = t.hosts.percent(Math.round(percent))
  return (
    <Meter label={t.hosts[of]} value={percent / 100} isBare={!isFull}>
      {isFull && amount ? `${amount} · ${figure}` : <span title={amount}>{figure}</span>}
    </Meter>
  )
}
