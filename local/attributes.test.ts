import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withAttributeTable } from './attributes/attribute-table.ts'
import { withEventTables } from './attributes/event-tables.ts'
import { withRightsTable } from './attributes/rights-table.ts'
import { withRolesTable } from './attributes/roles-table.ts'

test.each([
  ['attributes.md', 'attributes', withAttributeTable],
  ['events.md', 'events', withEventTables],
  ['rights.md', 'rights', withRightsTable],
  ['rights.md', 'roles', withRolesTable],
])(
  'docs/reference/%s has the current table of %s (update with npm run attributes)',
  (name, _, fill) => {
    const text = readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), 'utf8')
    expect(text).toBe(fill(text))
  },
)

test('rejects a document without the markers of the table', () => {
  expect(() => withAttributeTable('# Security')).toThrow('<!-- attributes -->')
  expect(() => withEventTables('# Security')).toThrow('<!-- deployment-kinds -->')
  expect(() => withRightsTable('# Security')).toThrow('<!-- rights -->')
  expect(() => withRolesTable('# Security')).toThrow('<!-- roles -->')
})
