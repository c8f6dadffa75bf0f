import type { Diagnostic } from '@codemirror/lint'
import type { Text } from '@codemirror/state'

/** A problem as the service reports it: lines and columns count from 1. */
export interface EditorProblem {
  line: number
  column: number
  severity: 'error' | 'warning'
  message: string
}

/** Returns the offset of a position, or the nearest one that the text has. */
export function offsetOf(text: Text, line: number, column: number): number {
  const found = text.line(Math.min(Math.max(1, line), text.lines))
  return Math.min(found.from + Math.max(0, column - 1), found.to)
}

/** Returns where problems are marked: the word that begins at the position, or the whole line. */
export function diagnosticsOf(text: Text, problems: readonly EditorProblem[]): Diagnostic[] {
  const marked = problems.map(({ line, column, severity, message }) => {
    const begin = offsetOf(text, line, column)
    const found = text.lineAt(begin)
    const word = /^[^\s:,\]}]+/.exec(found.text.slice(begin - found.from))?.[0]
    const from = word ? begin : found.from + (found.text.length - found.text.trimStart().length)
    return { from, to: word ? begin + word.length : found.to, severity, message }
  })
  return marked.sort((one, two) => one.from - two.from)
}
