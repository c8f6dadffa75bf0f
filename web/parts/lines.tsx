import './lines.css'
import type { ComponentChildren } from 'preact'

/** A few short texts, one a line. */
export const Lines = ({ of }: { of: readonly ComponentChildren[] }) => (
  <ul class="lines">
    {of.map((line, index) => (
      <li key={index}>{line}</li>
    ))}
  </ul>
)
