export type DiffLine =
  | { kind: 'gap'; skipped: number; text: string }
  | { kind: 'added' | 'removed' | 'same'; text: string; before?: number; after?: number }

/**
 * Returns the lines of a unified diff. Headers of files are left out, headers of hunks become gaps
 * that say how many lines are not shown.
 */
export function parseDiff(text: string): DiffLine[] {
  const lines: DiffLine[] = []
  let [before, after] = [0, 0]
  let isInside = false
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line)
    if (hunk) {
      const begins = Number(hunk[1]) + (hunk[2] === '0' ? 1 : 0)
      const skipped = begins - Math.max(1, before)
      if (skipped > 0) lines.push({ kind: 'gap', skipped, text: hunk[4] ?? '' })
      before = begins
      after = Math.max(1, Number(hunk[3]))
      isInside = true
    } else if (!isInside || line.startsWith('\\')) {
      // The header of a file, or "No newline at end of file".
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'added', text: line.slice(1), after })
      after += 1
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', text: line.slice(1), before })
      before += 1
    } else {
      lines.push({ kind: 'same', text: line.slice(1), before, after })
      before += 1
      after += 1
    }
  }
  return lines
}
