import { readFileSync, writeFileSync } from 'node:fs'
import { judgedWays } from '../matrix/worst/reach.ts'
import { withWorstTable } from '../matrix/worst/table.ts'
import { withAttributeTable } from './attribute-table.ts'
import { withRightsTable } from './rights-table.ts'

/** Writes the tables of attributes, of rights and of permissions into docs/security.md. */
const path = new URL('../../docs/security.md', import.meta.url)
const text = withRightsTable(withAttributeTable(readFileSync(path, 'utf8')))
writeFileSync(path, withWorstTable(text, await judgedWays()))
