import { readFileSync, writeFileSync } from 'node:fs'
import { withAttributeTable } from './attribute-table.ts'
import { withRightsTable } from './rights-table.ts'

/** Writes the tables of attributes and of rights into docs/security.md. */
const path = new URL('../../docs/security.md', import.meta.url)
writeFileSync(path, withRightsTable(withAttributeTable(readFileSync(path, 'utf8'))))
