import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { loadAgain } from '../../browser/load-again.ts'
import { NotLoaded } from '../../frame/not-loaded.tsx'
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
 * A chart over time with its latest values. The code that draws loads with the first chart, so
 * values have no format until then.
 */
export function Chart({ title, unit, series, times, values, from, to }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const pane = useSignal<ChartPane | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const format = useSignal<(value: number, unit: Unit) => string>(() => '–')
  useEffect(() => {
    let isUnmounted = false
    loadAgain(() => import('./chart-pane.ts')).then(
      ({ openChart, formatUnit }) => {
        if (isUnmounted || !place.current) return
        format.value = formatUnit
        pane.value = openChart(place.current, series, unit)
      },
      (error) => {
        failure.value = String(error)
      },
    )
    return () => {
      isUnmounted = true
      pane.peek()?.close()
    }
  }, [pane, format, failure])
  useEffect(() => {
    pane.value?.show(
      [...times],
      values.map((one) => [...one]),
      from,
      to,
    )
  }, [pane.value, times, values, from, to])
  const shown = series.map((_, index) => {
    const latest = values[index]?.findLast((value) => value !== null) ?? undefined
    return latest === undefined ? '–' : format.value(latest, unit)
  })
  const labels = series.map(({ name }, index) => `${name}: ${shown[index]}`)
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        {series.map(({ name, color }, index) => (
          <span key={name} class="chart-latest">
            <i style={{ backgroundColor: `var(${color})` }} />
            {series.length > 1 ? labels.at(index) : shown[index]}
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
