/**
 * Returns the usual size of a run, or the small one with `--small`, which only checks that a
 * benchmark works.
 */
export const sized = <T>(usual: T, small: T): T =>
  process.argv.includes('--small') ? small : usual

/** Returns the median, the upper of the two for an even count. */
export const median = (values: number[]) => quantile(values, 0.5)

/** Returns the value that this fraction of the values does not exceed. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}

/** Formats with three significant digits and no exponent. */
export const short = (value: number) =>
  Number.isFinite(value) ? String(Number(value.toPrecision(3))) : '–'

/** Formats a ratio as `1.07×`. */
export const ratio = (value: number, base: number) => `${(value / base).toFixed(2)}×`

/** Returns a Markdown table with the first column left-aligned and the others right-aligned. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** Wraps the paragraphs of a Markdown text at 100 columns. Tables stay unchanged. */
export const wrapped = (text: string) =>
  text
    .split('\n')
    .map((line) =>
      line.startsWith('|') ? line : line.replace(/(.{1,100})(?: +|$)/g, '$1\n').trimEnd(),
    )
    .join('\n')

/** Returns how long the work took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
