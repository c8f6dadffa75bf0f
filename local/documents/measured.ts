import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { present } from '../../adapters/testing/present.ts'
import { root } from '../../packaging/contents/places.mjs'

/**
 * Returns the cells of a row in the first table of a benchmark that has one with this beginning.
 *
 * @param row the beginning of its first cell; empty for the last row of all
 * @throws if there is none
 */
export function measured(name: string, row: string): string[] {
  const text = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')
  const [, rest = ''] = text.split(`<!-- ${name}: made by`)
  const part = present(rest.split(`<!-- /${name} -->`)[0])
  const lines = [...part.matchAll(/^\| (.*) \|$/gm)].map(([, line]) => present(line))
  const found = row === '' ? lines.at(-1) : lines.find((line) => line.startsWith(row))
  return present(found).split(' | ')
}
