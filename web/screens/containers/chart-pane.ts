import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import { formatBytes } from '../../parts/format-bytes.ts'
import { formatPercent } from '../../parts/format-percent.ts'
import { timeFormat } from '../../parts/formats.ts'
import { t } from '../../text/text.ts'
import { onTheme, resolvedColor } from './resolved-color.ts'

export type Unit = '%' | 'bytes' | 'bytes/s'

export interface ChartSeries {
  name: string
  /** The custom property of its colour: the same thing has the same one on every chart. */
  color: string
}

export interface ChartPane {
  /** Shows values; times in seconds, null where there is none. */
  show(times: number[], values: readonly (number | null)[][], from: number, to: number): void
  close(): void
}

const height = 160
/** Steps of an axis of bytes: powers of two. */
const powers = Array.from({ length: 50 }, (_, power) => 2 ** power)

export function formatUnit(value: number, unit: Unit): string {
  if (unit === 'bytes') return formatBytes(value)
  if (unit === 'bytes/s') return t.container.perSecond(formatBytes(value))
  return formatPercent(value)
}

/**
 * Draws lines over time into an element, in the colours of the theme.
 *
 * @param onPoint is called with the index of the time that a pointer is at, or undefined for none
 */
export function openChart(
  place: HTMLElement,
  series: readonly ChartSeries[],
  unit: Unit,
  onPoint: (index: number | undefined) => void,
): ChartPane {
  let range: [number, number] = [0, 1]
  const color = (property: string) => () => resolvedColor(place, property)
  const axis = { stroke: color('--text-2'), font: '11px Inter', ticks: { show: false } }
  const options: UPlot.Options = {
    width: Math.max(200, place.clientWidth),
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    scales: {
      x: { time: true, range: () => range },
      y: { range: (_, __, most) => [0, Math.max(most * 1.1, unit === '%' ? 1 : 1024)] },
    },
    series: [
      {},
      ...series.map(({ name, color: property }) => ({
        label: name,
        stroke: color(property),
        width: 1.25,
        points: { show: false },
      })),
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 72,
        values: (_, at, __, ___, step) => clocks(at, step),
      },
      {
        ...axis,
        size: unit === '%' ? 48 : 76,
        space: 36,
        grid: { stroke: color('--line'), width: 1 },
        ...(unit !== '%' && { incrs: powers }),
        values: (_, at) => at.map((value) => formatUnit(value, unit)),
      },
    ],
  }
  const plot = new UPlot(options, [[], ...series.map(() => [])], place)
  const observer = new ResizeObserver(() => {
    if (place.clientWidth > 0) plot.setSize({ width: place.clientWidth, height })
  })
  observer.observe(place)
  const stop = onTheme(() => plot.redraw(false, true))
  return {
    show(times, values, from, to) {
      range = [from, to]
      plot.setData([times, ...values.map((one) => [...one])])
    },
    close() {
      stop()
      observer.disconnect()
      plot.destroy()
    },
  }
}

/** Seconds of a day. */
const day = 86_400

/**
 * Returns times of day, with seconds where the steps are shorter than a minute, or days where they
 * are as long as one.
 */
function clocks(seconds: readonly number[], step: number): string[] {
  const format = timeFormat(
    step >= day
      ? { day: 'numeric', month: 'short' }
      : { hour: '2-digit', minute: '2-digit', ...(step < 60 && { second: '2-digit' }) },
  )
  return seconds.map((at) => format.format(at * 1000))
}
