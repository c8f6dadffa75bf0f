import type { LogRing } from './log-ring.ts'
import { type LogDisplay, lineOfFile, selectedText } from './shown-line.ts'

/** A place in a log: a line and an offset in its text. */
export interface Spot {
  sequence: number
  offset: number
}

/** Returns what is selected between two places, also where the lines are not in the page. */
export function copiedText(
  ring: LogRing,
  one: Spot,
  other: Spot,
  display: Pick<LogDisplay, 'json'>,
): string {
  const isForward =
    one.sequence < other.sequence || (one.sequence === other.sequence && one.offset <= other.offset)
  const [from, to] = isForward ? [one, other] : [other, one]
  const lines: string[] = []
  for (let sequence = from.sequence; sequence <= to.sequence; sequence += 1) {
    const line = ring.get(sequence)
    if (!line || !ring.isShown(sequence)) continue
    const start = sequence === from.sequence ? from.offset : 0
    const end = sequence === to.sequence ? to.offset : undefined
    lines.push(selectedText(line, display, [start, end]))
  }
  return lines.join('\n')
}

/** Returns the text of a file with all lines that are shown. */
export function fileText(ring: LogRing): string {
  const lines: string[] = []
  for (let sequence = ring.first; sequence < ring.end; sequence += 1) {
    const line = ring.get(sequence)
    if (line && ring.isShown(sequence)) lines.push(lineOfFile(line))
  }
  return `${lines.join('\n')}\n`
}
