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

/** A chart over time with its latest figures. The drawing loads when the first one is shown. */
export function Chart({ title, unit, series, times, values, from, to }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const pane = useSignal<ChartPane | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const format = useSignal<(value: number, unit: Unit) => string>(() => '–')
  useEffect(() => {
    let isOver = false
    loadAgain(() => import('./chart-pane.ts')).then(
      ({ openChart, formatUnit }) => {
        if (isOver || !place.current) return
        format.value = formatUnit
        pane.value = openChart(place.current, series, unit)
      },
      (error) => {
        failure.value = String(error)
      },
    )
    return () => {
      isOver = true
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
  const latest = values.map((one) => one.findLast((value) => value !== null) ?? undefined)
  const words = series.map(({ name }, index) => {
    const value = latest[index]
    return `${name}: ${value === undefined ? '–' : format.value(value, unit)}`
  })
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        {series.map(({ name, color }, index) => (
          <span key={name} class="chart-latest">
            <i style={{ backgroundColor: `var(${color})` }} />
            {series.length > 1 ? words[index] : words[index]?.slice(name.length + 2)}
          </span>
        ))}
      </figcaption>
      {failure.value && <NotLoaded detail={failure.value} />}
      <div
        ref={place}
        class="chart-place"
        role="img"
        aria-label={`${title}. ${words.join(', ')}`}
      />
    </figure>
  )
}
