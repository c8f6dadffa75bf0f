import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { loadAgain } from '../../browser/load-again.ts'
import { NotLoaded } from '../../frame/not-loaded.tsx'
import { timeToSecond } from '../../parts/format-time.ts'
import type { ChartPane, ChartSeries, Unit } from './chart-pane.ts'

interface ChartProps {
  title: string
  unit: Unit
  series: readonly ChartSeries[]
  /** In seconds. */
  times: readonly number[]
  /** One list for each series. */
  values: readonly (readonly (number | null)[])[]
  from: number
  to: number
}

/**
 * A chart over time with its latest values, or those at the pointer. The code that draws loads with
 * the first chart, so values have no format until then.
 */
export function Chart({ title, unit, series, times, values, from, to }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const pane = useSignal<ChartPane | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const format = useSignal<(value: number, unit: Unit) => string>(() => '–')
  /** The index of the time that a pointer is at. */
  const pointed = useSignal<number | undefined>(undefined)
  useEffect(() => {
    let isUnmounted = false
    loadAgain(() => import('./chart-pane.ts')).then(
      ({ openChart, formatUnit }) => {
        if (isUnmounted || !place.current) return
        format.value = formatUnit
        pane.value = openChart(place.current, series, unit, (index) => {
          pointed.value = index
        })
      },
      (error) => {
        failure.value = String(error)
      },
    )
    return () => {
      isUnmounted = true
      pane.peek()?.close()
    }
  }, [pane, format, failure, pointed])
  useEffect(() => {
    pane.value?.show(
      [...times],
      values.map((one) => [...one]),
      from,
      to,
    )
  }, [pane.value, times, values, from, to])
  const textOf = (value: number | null | undefined) =>
    typeof value === 'number' ? format.value(value, unit) : '–'
  const latest = values.map((one) => textOf(one.findLast((value) => value !== null)))
  const labels = series.map(({ name }, index) => `${name}: ${latest[index]}`)
  const at = pointed.value
  const time = at === undefined ? undefined : times[at]
  const shown =
    at === undefined || time === undefined ? latest : values.map((one) => textOf(one[at]))
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        {time !== undefined && <span class="chart-time">{timeToSecond(time * 1000)}</span>}
        {series.map(({ name, color }, index) => (
          <span key={name} class="chart-latest">
            <i style={{ backgroundColor: `var(${color})` }} />
            {series.length > 1 ? `${name}: ${shown[index]}` : shown[index]}
          </span>
        ))}
      </figcaption>
      {failure.value && <NotLoaded detail={failure.value} />}
      <div
        ref={place}
        class="chart-place"
        role="img"
        aria-label={`${title}. ${labels.join(', ')}`}
      />
    </figure>
  )
}
