/** A size of a run: the usual one, or a small one with `--small`, which shows that a benchmark works. */
export const sized = <T>(usual: T, small: T): T =>
  process.argv.includes('--small') ? small : usual

/** The middle of the values; of an even count the upper of the two. */
export const median = (values: number[]) => quantile(values, 0.5)

/** The value that this part of all values does not exceed. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}

/** Three significant digits, without an exponent. */
export const short = (value: number) =>
  Number.isFinite(value) ? String(Number(value.toPrecision(3))) : '–'

/** `1.07×`. */
export const ratio = (value: number, base: number) => `${(value / base).toFixed(2)}×`

/** A markdown table; the first column to the left, the others to the right. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** What the work took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
