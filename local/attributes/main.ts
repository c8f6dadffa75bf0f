import { readFileSync, writeFileSync } from 'node:fs'
import { withAttributeTable } from './attribute-table.ts'

/** Writes the table of attributes into docs/security.md. */
const path = new URL('../../docs/security.md', import.meta.url)
writeFileSync(path, withAttributeTable(readFileSync(path, 'utf8')))
