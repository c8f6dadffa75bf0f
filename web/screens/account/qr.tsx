import { encode } from 'uqr'

/** A text as a QR code, black on white in every theme: many readers refuse it inverted. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  )
}
