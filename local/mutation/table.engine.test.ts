import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { isUntried, withTable } from './table.ts'

const all = [
  { file: 'a.ts', name: 'one' },
  { file: 'b.ts', name: 'access: users:read' },
  { file: 'c.ts', name: 'limits: three' },
]
const document = `Before.
<!-- mutations -->
9 checks.

| \`b.ts\` | \`access: users:read\` | killed |
| \`gone.ts\` | gone | killed |
| \`c.ts\` | limits: three | killed |
<!-- /mutations -->
After.
`

test('counts the rows, keeps those of untried checks and drops those of removed checks', () => {
  const error = { kind: 'error', reason: 'no test runs' } as const
  const results = [
    { ...present(all[0]), verdict: { kind: 'survived' } as const },
    { ...present(all[2]), verdict: error },
  ]
  expect(withTable(document, all, results)).toBe(`Before.
<!-- mutations -->
3 checks: 1 killed, 1 survived, 1 not run.

| file | removed check | result |
|---|---|---|
| \`a.ts\` | one | **survived** |
| \`b.ts\` | \`access: users:read\` | killed |
| \`c.ts\` | limits: three | not run |
<!-- /mutations -->
After.
`)
})

test('throws if the document has no markers', () => {
  expect(() => withTable('No marks.', all, [])).toThrow('no place for the table')
})

test('knows which checks have no result', () => {
  expect(all.filter(isUntried(document))).toEqual([all[0]])
})
