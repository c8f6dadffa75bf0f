import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { written } from './checks.ts'
import { type Copy, makeCopy } from './copy.ts'
import { calls, declared } from './found-checks.ts'
import { isPicked, type Mutation } from './mutation.ts'

/**
 * Removes each authorisation check in turn, in a copy of the tree, and runs the tests that are for it: one must turn red. Words
 * pick the checks whose file and name contain all of them. `--write` puts the table into docs/security.md, where the lines of
 * checks that were not picked stay. Exits with 1 if a check could go unnoticed, and with 2 if the words pick none.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))

interface Line {
  file: string
  name: string
  killed: boolean
}

const wanted = (mutation: Mutation) => isPicked(mutation, words)
const queue = [...written, ...calls(root)].filter(wanted)
if (queue.length === 0 && !declared(root).some(wanted)) {
  console.error(`no check contains all of: ${words.join(', ')}`)
  process.exit(2)
}
const lines: Line[] = []
const copies = [makeCopy(root), makeCopy(root)]
try {
  await Promise.all(copies.map(work))
  lines.push(...(await allDeclared(copies[0]!)))
} finally {
  for (const copy of copies) copy.drop()
}
lines.sort((one, other) => (one.file + one.name < other.file + other.name ? -1 : 1))
const survived = lines.filter(({ killed }) => !killed)
for (const { file, name } of survived) console.log(`survived: ${file}: ${name}`)
console.log(`${lines.length - survived.length} killed, ${survived.length} survived`)
if (process.argv.includes('--write')) write()
process.exitCode = survived.length === 0 ? 0 : 1

async function work(copy: Copy): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const putBack = copy.remove(next)
    const { green } = await copy.test(next.tests, next.only)
    putBack()
    lines.push({ file: next.file, name: next.name, killed: !green })
    if (green) console.log(`not noticed: ${next.file}: ${next.name}`)
  }
}

/** All at once: each endpoint has a test of its own, which must be red. */
async function allDeclared(copy: Copy): Promise<Line[]> {
  const mutations = declared(copy.directory).filter(wanted)
  if (mutations.length === 0) return []
  for (const mutation of mutations) copy.remove(mutation)
  const { report } = await copy.test(['local/matrix/declared'])
  const red = new Set<string>(
    report.testResults
      .flatMap(({ assertionResults }: any) => assertionResults)
      .filter(({ status }: any) => status === 'failed')
      .map(({ title }: any) => title.replace(/^'?(.*?)'? declares what its row needs$/, '$1')),
  )
  return mutations.map(({ file, name, route }) => ({ file, name, killed: red.has(route) }))
}

function write(): void {
  const path = new URL('../../docs/security.md', import.meta.url)
  const [start, end] = ['<!-- mutations -->', '<!-- /mutations -->']
  const text = readFileSync(path, 'utf8')
  if (!text.includes(start) || !text.includes(end))
    throw new Error('docs/security.md has no place for it')
  const tried = new Map(lines.map((line) => [keyOf(line), line.killed]))
  const earlier = new Set(text.split('\n').filter((row) => row.endsWith(said(true))))
  const all = [...written, ...calls(root), ...declared(root)].map(keyOf).sort()
  const rows = all.flatMap((key) => {
    const killed = tried.get(key) ?? (earlier.has(key + said(true)) || undefined)
    return killed === undefined ? [] : [key + said(killed)]
  })
  const survivors = rows.filter((row) => row.endsWith(said(false))).length
  const table = ['| file | removed | |', '|---|---|---|', ...rows].join('\n')
  const sum = `${rows.length} checks, ${rows.length - survivors} killed, ${survivors} survived.`
  const [before] = text.split(start)
  const [, after] = text.split(end)
  writeFileSync(path, `${before}${start}\n${sum}\n\n${table}\n${end}${after}`)
}

/** Its end. */
function said(killed: boolean): string {
  return ` | ${killed ? 'killed' : '**survived**'} |`
}

/** The begin of a check's line in the table. */
function keyOf({ file, name }: Pick<Line, 'file' | 'name'>): string {
  const cell = (value: string) => `\`${value.replaceAll('|', '\\|')}\``
  const shown = /[(:]/.test(name) && !/^[a-z ]+: (one|all|the )/.test(name) ? cell(name) : name
  return `| ${cell(file)} | ${shown}`
}
