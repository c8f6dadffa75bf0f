import './sparkline.css'

interface SparklineProps {
  /** What it shows and its last figure: "CPU, now 12 %". */
  label: string
  values: readonly number[]
  /** The value at the top; the largest one by default. */
  max?: number
  width?: number
  height?: number
}

/** A thin line of the last values, for a row. */
export function Sparkline({ label, values, max, width = 72, height = 20 }: SparklineProps) {
  const top = Math.max(max ?? Math.max(...values, 0), Number.EPSILON)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map((value, index) => {
    const y = height - 1 - (Math.min(value, top) / top) * (height - 2)
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={label}
      width={width}
      height={height}
      preserveAspectRatio="none"
      viewBox={`0 0 ${width} ${height}`}
    >
      {points.length > 1 && (
        <>
          <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} />
          <polyline points={points.join(' ')} />
        </>
      )}
    </svg>
  )
}
