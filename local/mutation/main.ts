import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { present } from '../../adapters/testing/present.ts'
import startStore from '../harness/store.ts'
import { makeCopy } from './copy.ts'
import { declaredAccess, guardCalls } from './endpoint-guards.ts'
import { listedChecks } from './lists.ts'
import { isPicked, type Mutation } from './mutation.ts'
import { type Result, tryChecks, tryDeclared } from './runner.ts'
import { isUntried, withTable } from './table.ts'

/**
 * Removes each authorisation check in turn, in a copy of the tree, and runs its tests: one must
 * fail. Arguments select the checks whose file and name contain all of them, and `--not-run` those
 * without a result. `--write` puts the table into docs/reference/checks.md, where the rows of other
 * checks are kept. Exits with 1 if a check survives or its tests cannot judge it, and with 2 if no
 * check matches.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const page = new URL('../../docs/reference/checks.md', import.meta.url)
const isWanted = process.argv.includes('--not-run')
  ? isUntried(readFileSync(page, 'utf8'))
  : () => true
const picked = <T extends Mutation>(mutations: T[]) =>
  mutations.filter((mutation) => isPicked(mutation, words) && isWanted(mutation))

const single = [...(await listedChecks()), ...guardCalls(root)]
const ofRoutes = declaredAccess(root)
if (picked([...single, ...ofRoutes]).length === 0) {
  console.error(`no check contains all of: ${words.join(', ')}`)
  process.exit(2)
}
const results = await tryPicked()
const count = (kind: string) => results.filter(({ verdict }) => verdict.kind === kind).length
console.log(`${count('killed')} killed, ${count('survived')} survived, ${count('error')} errors`)
if (process.argv.includes('--write')) write()
process.exitCode = count('killed') === results.length ? 0 : 1

async function tryPicked(): Promise<Result[]> {
  const stopStore = await startStore()
  const copies = [makeCopy(root), makeCopy(root)]
  try {
    const alone = await tryChecks(picked(single), copies, show)
    const routes = picked(ofRoutes)
    const together = routes.length > 0 ? await tryDeclared(routes, present(copies[0])) : []
    together.forEach(show)
    return [...alone, ...together]
  } finally {
    for (const copy of copies) copy.drop()
    await stopStore()
  }
}

function show({ file, name, verdict }: Result): void {
  const more =
    verdict.kind === 'killed'
      ? `: ${verdict.by}`
      : verdict.kind === 'error'
        ? `: ${verdict.reason}`
        : ''
  console.log(`${verdict.kind}: ${file}: ${name}${more}`)
}

function write(): void {
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, withTable(text, [...single, ...ofRoutes], results))
}
