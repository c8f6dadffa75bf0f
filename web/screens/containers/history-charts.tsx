import './charts.css'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Resource } from '../../data/resource-cache.ts'
import type { HistoryPoint, HistoryRange, UsageHistory } from '../../data/usage-history.ts'
import { beginsAt, spacedPoints } from '../../data/usage-points.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { shortTime } from '../../parts/format-time.ts'
import { t } from '../../text/text.ts'
import { Chart } from './chart.tsx'
import type { Unit } from './chart-pane.ts'
import { HistoryTable } from './history-table.tsx'

/** The ranges of a history, with their words. */
export const historyRanges = (): { value: HistoryRange; label: string }[] => [
  { value: '1h', label: t.usage.lastHour },
  { value: '24h', label: t.usage.lastDay },
  { value: '7d', label: t.usage.lastWeek },
  { value: '30d', label: t.usage.lastMonth },
]

/** What a host or a container used over days: charts, and a table with the same values. */
export function HistoryCharts({ of }: { of: Resource<UsageHistory> }) {
  const isOff = of.value.value?.recording === false
  const why = isOff ? t.usage.off : t.usage.noneWhy
  return (
    <Loaded
      of={of}
      what={t.container.chartsWhat}
      failed={t.container.chartsFailed}
      isEmpty={({ points }) => points.length === 0}
      empty={<Empty title={t.usage.none}>{why}</Empty>}
    >
      {(history) => <Content history={history} />}
    </Loaded>
  )
}

function Content({ history }: { history: UsageHistory }) {
  const { from, to, points, recording, left_out: leftOut = [] } = history
  const isValues = useSignal(false)
  const { times, charts } = useMemo(() => drawn(history), [history])
  const begin = beginsAt(history)
  return (
    <>
      <div class="charts">
        {charts.map((chart) => (
          <Chart
            key={chart.key}
            title={chart.title}
            unit={chart.unit}
            series={chart.lines}
            times={times}
            values={chart.values}
            from={Date.parse(from) / 1000}
            to={Date.parse(to) / 1000}
          />
        ))}
      </div>
      {begin !== undefined && (
        <p class="quiet-text">{t.usage.since(shortTime(Date.parse(begin)))}</p>
      )}
      {!recording && <p class="quiet-text">{t.usage.off}</p>}
      {leftOut.length > 0 && <p class="quiet-text">{t.usage.leftOut(leftOut.join(', '))}</p>}
      <details
        class="chart-values"
        onToggle={(event) => {
          isValues.value = event.currentTarget.open
        }}
      >
        <summary>{t.usage.values}</summary>
        {isValues.value && <HistoryTable points={points} />}
      </details>
    </>
  )
}

interface Line {
  name: string
  color: string
  of: (point: HistoryPoint) => number | undefined
}

interface DrawnChart {
  key: string
  title: string
  unit: Unit
  lines: Line[]
}

const [first, second] = ['--chart-1', '--chart-2']

type Figure = Exclude<keyof HistoryPoint, 'time'>

const mean = (figure: Figure) => (point: HistoryPoint) => point[figure]?.mean
const most = (figure: Figure) => (point: HistoryPoint) => point[figure]?.max

/** Returns the lines of each chart, with a value for each time or null. */
function drawn(history: UsageHistory) {
  const { times, points } = spacedPoints(history)
  const charts = chartsOf(history.left_out !== undefined).map((chart) => ({
    ...chart,
    values: chart.lines.map((line) => points.map((point) => (point && line.of(point)) ?? null)),
  }))
  return { times, charts }
}

function chartsOf(isHost: boolean): DrawnChart[] {
  const words = t.container
  const meanAndMost = (figure: Figure): Line[] => [
    { name: t.usage.mean, color: first, of: mean(figure) },
    { name: t.usage.highest, color: second, of: most(figure) },
  ]
  const used: DrawnChart = {
    key: 'used',
    title: t.usage.diskUsed,
    unit: 'bytes',
    lines: [{ name: t.usage.diskUsed, color: first, of: mean('disk') }],
  }
  return [
    { key: 'cpu', title: words.cpu, unit: '%', lines: meanAndMost('cpu_percent') },
    { key: 'memory', title: words.memory, unit: 'bytes', lines: meanAndMost('memory') },
    ...(isHost ? [used] : []),
    {
      key: 'network',
      title: isHost ? t.usage.networkOfContainers : words.network,
      unit: 'bytes/s',
      lines: [
        { name: words.received, color: first, of: mean('network_rx') },
        { name: words.sent, color: second, of: mean('network_tx') },
      ],
    },
    {
      key: 'disk',
      title: isHost ? t.usage.diskOfContainers : words.disk,
      unit: 'bytes/s',
      lines: [
        { name: words.read, color: first, of: mean('block_read') },
        { name: words.write, color: second, of: mean('block_write') },
      ],
    },
  ]
}
