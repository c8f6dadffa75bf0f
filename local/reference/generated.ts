/**
 * Returns a Markdown page with a generated part between `<!-- name -->` and `<!-- /name -->`.
 *
 * @throws if the page lacks these markers
 */
export function withGenerated(page: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, rest] = page.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`there is no ${start} … ${end}`)
  return `${before}${start}\n${part}\n${end}${after}`
}
