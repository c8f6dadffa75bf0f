import './charts.css'
import { useMemo } from 'preact/hooks'
import { useResource } from '../../data/cache.ts'
import { serviceTime } from '../../data/clock.ts'
import type { ContainerDetails } from '../../data/containers.ts'
import { type HistoryRange, useContainerHistory } from '../../data/usage-history.ts'
import { useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { Chart } from './chart.tsx'
import { HistoryCharts, historyRanges } from './history-charts.tsx'
import { ratesOf } from './rates.ts'
import { type Stats, useStats } from './use-stats.ts'

/** What the charts need of a sample: recorded ones and live ones have it. */
type Sample = Omit<Stats, 'cpu_percent' | 'cpus' | 'memory_limit'> & { cpu_percent: number | null }

const hour = 3600
const minutes = 300

/** What a container used in the last hour or over days, and what it uses now. */
export default function Charts({ container }: { container: ContainerDetails }) {
  const [range, setRange] = useQuery('range', 'hour')
  const days = longRanges().find(({ value }) => value === range)?.value
  return (
    <>
      <div class="toolbar">
        <Select
          label={t.container.range}
          value={range}
          options={[...shortRanges(), ...longRanges()]}
          onChange={setRange}
          isBare
        />
      </div>
      {days ? (
        <OverDays container={container} range={days} />
      ) : (
        <Recent container={container} length={range === 'live' ? minutes : hour} />
      )}
    </>
  )
}

const shortRanges = () => [
  { value: 'hour', label: t.container.lastHour },
  { value: 'live', label: t.container.lastMinutes },
]

/** The last hour is there with more points. */
const longRanges = () => historyRanges().filter(({ value }) => value !== '1h')

interface DaysProps {
  container: ContainerDetails
  range: HistoryRange
}

function OverDays({ container: { id, host_id }, range }: DaysProps) {
  return <HistoryCharts of={useContainerHistory({ id, host: host_id }, range)} />
}

interface RecentProps {
  container: ContainerDetails
  /** Seconds that are shown. */
  length: number
}

function Recent({ container, length }: RecentProps) {
  const { id, host_id, state } = container
  const since = useMemo(() => new Date(serviceTime() - hour * 1000).toISOString(), [id, host_id])
  const { value, problem, reload } = useResource('/containers/{id}/metrics', {
    id,
    host: host_id,
    since,
  })
  const live = useStats(container, state === 'running')
  const recorded: readonly Sample[] = value.value ?? []
  const last = recorded.at(-1)?.time ?? ''
  const newer: readonly Sample[] = live.values.value.filter(({ time }) => time > last)
  const samples = useMemo(() => [...recorded, ...newer], [value.value, live.values.value])
  // A running container sends its first figures within seconds.
  const isKnown = value.value !== undefined && (samples.length > 0 || live.isSettled.value)
  return (
    <Loaded
      of={{ value: { value: isKnown ? samples : undefined }, problem, reload }}
      what={t.container.chartsWhat}
      failed={t.container.chartsFailed}
      empty={<Empty title={t.container.noFigures}>{t.container.noFiguresWhy}</Empty>}
    >
      {(known) => (
        <>
          {live.problem.value && <p>{`${t.container.feedFailed}: ${live.problem.value.error}`}</p>}
          <FourCharts samples={known} length={length} />
        </>
      )}
    </Loaded>
  )
}

interface FourProps {
  samples: readonly Sample[]
  /** Seconds that are shown. */
  length: number
}

function FourCharts({ samples, length }: FourProps) {
  const words = t.container
  const figures = useMemo(() => figuresOf(samples), [samples])
  const { times } = figures
  const to = Math.max(times.at(-1) ?? 0, serviceTime() / 1000)
  const shared = { times, from: to - length, to }
  const first = '--chart-1'
  const second = '--chart-2'
  return (
    <div class="charts">
      <Chart
        {...shared}
        title={words.cpu}
        unit="%"
        series={[{ name: words.cpu, color: first }]}
        values={figures.cpu}
      />
      <Chart
        {...shared}
        title={words.memory}
        unit="bytes"
        series={[{ name: words.memory, color: first }]}
        values={figures.memory}
      />
      <Chart
        {...shared}
        title={words.network}
        unit="bytes/s"
        series={[
          { name: words.received, color: first },
          { name: words.sent, color: second },
        ]}
        values={figures.network}
      />
      <Chart
        {...shared}
        title={words.disk}
        unit="bytes/s"
        series={[
          { name: words.read, color: first },
          { name: words.write, color: second },
        ]}
        values={figures.disk}
      />
    </div>
  )
}

const figuresOf = (samples: readonly Sample[]) => ({
  times: samples.map(({ time }) => Date.parse(time) / 1000),
  cpu: [samples.map(({ cpu_percent }) => cpu_percent)],
  memory: [samples.map(({ memory }) => memory)],
  network: [ratesOf(samples, 'network_rx'), ratesOf(samples, 'network_tx')],
  disk: [ratesOf(samples, 'block_read'), ratesOf(samples, 'block_write')],
})
