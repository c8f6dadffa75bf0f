/**
 * Returns a Markdown page with a generated part in its place, between `<!-- name -->` and
 * `<!-- /name -->`.
 *
 * @throws if the page has no such place
 */
export function withGenerated(page: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, rest] = page.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`there is no ${start} … ${end}`)
  return `${before}${start}\n${part}\n${end}${after}`
}
