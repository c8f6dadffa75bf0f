import type { HistoryPoint } from '../../data/usage-history.ts'
import type { Column } from '../../parts/columns.ts'
import { formatBytes } from '../../parts/format-bytes.ts'
import { formatPercent } from '../../parts/format-percent.ts'
import { shortTime } from '../../parts/format-time.ts'
import { None } from '../../parts/none.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'

/** The values of the charts, the newest first. */
export function HistoryTable({ points }: { points: readonly HistoryPoint[] }) {
  return (
    <Table
      label={t.usage.values}
      rows={[...points].reverse()}
      rowKey={({ time }) => time}
      columns={columnsOf()}
      orderIn="values"
    />
  )
}

type Level = { mean: number; max: number } | null

function columnsOf(): Column<HistoryPoint>[] {
  const words = t.container
  const figure = (
    key: string,
    label: string,
    text: (value: number) => string,
    of: (point: HistoryPoint) => number | undefined,
  ): Column<HistoryPoint> => ({
    key,
    label,
    align: 'end',
    cell: (point) => {
      const value = of(point)
      return value === undefined ? <None /> : text(value)
    },
  })
  const both = (
    key: string,
    label: string,
    text: (value: number) => string,
    of: (point: HistoryPoint) => Level,
  ) => [
    figure(key, label, text, (point) => of(point)?.mean),
    figure(`${key}-most`, t.usage.highestOf(label), text, (point) => of(point)?.max),
  ]
  return [
    { key: 'time', label: t.usage.time, cell: ({ time }) => shortTime(Date.parse(time)) },
    ...both('cpu', words.cpu, formatPercent, (point) => point.cpu_percent),
    ...both('memory', words.memory, formatBytes, (point) => point.memory),
    figure('received', words.received, rateText, (point) => point.network_rx?.mean),
    figure('sent', words.sent, rateText, (point) => point.network_tx?.mean),
    figure('read', words.read, rateText, (point) => point.block_read?.mean),
    figure('write', words.write, rateText, (point) => point.block_write?.mean),
  ]
}

const rateText = (value: number) => t.container.perSecond(formatBytes(value))
