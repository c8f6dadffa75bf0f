import type { IconNode } from 'lucide'
import { h } from 'preact'

/** A lucide icon. It is decoration: the words beside it, or a label, say the same. */
export function Icon({ of, size = 16 }: { of: IconNode; size?: 16 | 20 }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={size === 16 ? 1.8 : 1.6}
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      {of.map(([tag, attributes], index) => h(tag, { ...attributes, key: index } as object))}
    </svg>
  )
}
