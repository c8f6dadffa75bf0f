/**
 * Returns a document with this table between the comments `<!-- name -->` and `<!-- /name -->`.
 *
 * @throws if the document has no such place
 */
export function fillTable(document: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, rest] = document.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`there is no ${start} … ${end}`)
  return `${before}${start}\n${table}\n${end}${after}`
}
