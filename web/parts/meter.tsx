import './meter.css'
import type { ComponentChildren } from 'preact'

interface MeterProps {
  /** What is measured: "CPU". */
  label: string
  /** Between 0 and 1; more is drawn as full. */
  value: number
  /** The figure with its unit: "1.2 of 4 GiB". */
  children: ComponentChildren
  /** From which share it needs attention, and from which it is critical. */
  attention?: number
  critical?: number
  /** Shows no label, for a cell of a column that has it. */
  isBare?: boolean
  /** Something under way, for which it is good to be full. */
  isProgress?: boolean
}

/** A gauge: a thin bar and its figure. */
export function Meter(props: MeterProps) {
  const { label, value, children, attention = 0.8, critical = 0.95, isBare, isProgress } = props
  const share = Math.min(1, Math.max(0, value))
  const kind = isProgress
    ? 'usual'
    : share >= critical
      ? 'failed'
      : share >= attention
        ? 'attention'
        : 'usual'
  return (
    <div class={isBare ? `meter bare ${kind}` : `meter ${kind}`}>
      {!isBare && <span class="meter-label">{label}</span>}
      <span class="meter-figure">{children}</span>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have them */}
      <div
        class="meter-bar"
        role={isProgress ? 'progressbar' : 'meter'}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <i style={{ inlineSize: `${share * 100}%` }} />
      </div>
    </div>
  )
}
