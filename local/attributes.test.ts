import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withAttributeTable } from './attributes/attribute-table.ts'

test('docs/security.md has the table of attributes as it is: npm run attributes writes it', () => {
  const text = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')
  expect(text).toBe(withAttributeTable(text))
})

test('a document without a place for the table is refused', () => {
  expect(() => withAttributeTable('# Security')).toThrow('<!-- attributes -->')
})
