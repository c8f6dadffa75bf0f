import type { LogLine, LogRing } from './log-ring.ts'

/** Bytes. The service splits longer lines; a part can lack the last letter's first bytes. */
const partMin = 256 * 1024 - 3
/** A part has at least as many units: a letter of two units takes four bytes, others three. */
const unitsMin = Math.floor(partMin / 3)

/** Returns whether a line goes on in the next one of its container and stream. */
export const isPart = (text: string): boolean =>
  text.length >= unitsMin && new TextEncoder().encode(text).length >= partMin

/** Returns a line with the parts of it that are other lines of the ring. They have one time. */
export function wholeLineAt(ring: LogRing, sequence: number): LogLine | undefined {
  const line = ring.get(sequence)
  if (!line) return undefined
  const isOfIt = (other: LogLine | undefined): other is LogLine =>
    other !== undefined &&
    other.kind === line.kind &&
    other.origin === line.origin &&
    other.source === line.source
  let text = line.text
  for (let at = sequence - 1; ring.get(at)?.time === line.time; at -= 1) {
    const before = ring.get(at)
    if (!isOfIt(before)) continue
    if (!isPart(before.text)) break
    text = before.text + text
  }
  let last = line
  for (let at = sequence + 1; ring.get(at)?.time === line.time && isPart(last.text); at += 1) {
    const next = ring.get(at)
    if (!isOfIt(next)) continue
    text += next.text
    last = next
  }
  return { ...line, text }
}
