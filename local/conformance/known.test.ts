import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { known } from './known.ts'
import { oracleForms } from './oracle-forms.ts'

const document = readFileSync(
  new URL('../../docs/contributing/conformance.md', import.meta.url),
  'utf8',
)

/** Returns the rows of the table in a section: the ID in backticks → its reason. */
function rowsOf(heading: string): Record<string, string> {
  const [, section = ''] = document.split(`## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return Object.fromEntries(
    [...own.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, id, reason]) => [id, reason]),
  )
}

test('the page lists exactly the cases that are known to fail, each with its reason', () => {
  expect(rowsOf('Cases that fail')).toEqual(known)
})

test('the page lists exactly the forms that are normalized before models are compared', () => {
  const reasons = Object.entries(oracleForms).map(([name, { reason }]) => [name, reason])
  expect(rowsOf('Compared with docker compose')).toEqual(Object.fromEntries(reasons))
})
