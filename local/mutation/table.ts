import type { Mutation } from './mutation.ts'
import type { Result } from './runner.ts'

type Check = Pick<Mutation, 'file' | 'name'>

const [start, end] = ['<!-- mutations -->', '<!-- /mutations -->']
const words = { killed: 'killed', survived: '**survived**', untried: 'not run' }

/**
 * Returns a document with the table of all checks between its markers. Rows of checks that were not
 * tried keep their verdicts. An error removes the verdict of its row. Throws if the document has no
 * markers.
 */
export function withTable(text: string, all: Check[], results: Result[]): string {
  if (!text.includes(start) || !text.includes(end)) {
    throw new Error(`the document has no place for the table: ${start} … ${end}`)
  }
  const known = verdicts(text)
  for (const { verdict, ...check } of results) {
    known.set(rowOf(check), verdict.kind === 'error' ? words.untried : words[verdict.kind])
  }
  const keys = all.map(rowOf).sort()
  const said = keys.map((key) => known.get(key) ?? words.untried)
  const rows = keys.map((key, index) => `${key} | ${said[index]} |`)
  const count = (word: string) => said.filter((one) => one === word).length
  const sum = `${keys.length} checks: ${count(words.killed)} killed, ${count(words.survived)} survived, ${count(words.untried)} not run.`
  const [before] = text.split(start)
  const [, after] = text.split(end)
  const table = ['| file | removed check | result |', '|---|---|---|', ...rows].join('\n')
  return `${before}${start}\n${sum}\n\n${table}\n${end}${after}`
}

/** Returns whether the table of a document has no verdict on a check. */
export function isUntried(text: string): (check: Check) => boolean {
  const known = verdicts(text)
  return (check) => !known.has(rowOf(check))
}

/** Returns the verdicts in the current table, by the beginnings of the rows. */
function verdicts(text: string): Map<string, string> {
  const table = text.slice(text.indexOf(start), text.indexOf(end))
  const rows = table.matchAll(/^(\| `.*) \| (killed|\*\*survived\*\*) \|$/gm)
  return new Map([...rows].map(([, row = '', said = '']) => [row, said]))
}

/** Returns the beginning of a check's row. Names that are code are formatted as code. */
function rowOf({ file, name }: Check): string {
  const cell = (value: string) => `\`${value.replaceAll('|', '\\|')}\``
  return `| ${cell(file)} | ${/^access: |\(/.test(name) ? cell(name) : name}`
}
