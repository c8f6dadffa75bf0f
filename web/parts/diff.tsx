import './diff.css'
import { t } from '../text/text.ts'
import { type DiffLine, parseDiff } from './parse-diff.ts'

interface DiffProps {
  /** The name of the file. */
  label: string
  /** A unified diff, as the API sends it. */
  text: string
}

/**
 * A diff with the line numbers of the new text. Signs and not only colours say what is added and
 * removed.
 */
export function Diff({ label, text }: DiffProps) {
  const lines = parseDiff(text)
  if (lines.length === 0) return <p class="diff-none">{t.parts.noDifference}</p>
  return (
    // It scrolls sideways, so the keyboard has to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller needs the focus
    <section class="diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {lines.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Line({ line }: { line: DiffLine }) {
  if (line.kind === 'gap') {
    return (
      <tr class="gap">
        <td colSpan={3}>
          {line.skipped > 0 ? t.parts.unchangedLines(line.skipped) : line.text || '⋯'}
        </td>
      </tr>
    )
  }
  const word = { added: t.parts.added, removed: t.parts.removed, same: '' }[line.kind]
  const sign = { added: '+', removed: '−', same: '' }[line.kind]
  return (
    <tr class={line.kind}>
      <td class="number">{line.after ?? line.before}</td>
      <td class="sign">
        <span aria-hidden="true">{sign}</span>
        <span class="hidden-text">{word}</span>
      </td>
      <td class="code">{line.text || ' '}</td>
    </tr>
  )
}
