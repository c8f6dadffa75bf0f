import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withAttributeTable } from './attributes/attribute-table.ts'
import { withRightsTable } from './attributes/rights-table.ts'

test('docs/security.md has the current table of attributes (update with npm run attributes)', () => {
  const text = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')
  expect(text).toBe(withAttributeTable(text))
})

test('docs/security.md has the current table of rights (update with npm run attributes)', () => {
  const text = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')
  expect(text).toBe(withRightsTable(text))
})

test('rejects a document without the markers of the table', () => {
  expect(() => withAttributeTable('# Security')).toThrow('<!-- attributes -->')
  expect(() => withRightsTable('# Security')).toThrow('<!-- rights -->')
})
