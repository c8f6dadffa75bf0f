import { readFileSync, writeFileSync } from 'node:fs'
import { judgedWays } from '../matrix/worst/reach.ts'
import { withWorstTable } from '../matrix/worst/table.ts'
import { withAttributeTable } from './attribute-table.ts'
import { withEventTables } from './event-tables.ts'
import { withRightsTable } from './rights-table.ts'
import { withRolesTable } from './roles-table.ts'

/** Writes the tables of attributes, events, rights, roles and permissions into docs/reference. */
const at = (name: string) => new URL(`../../docs/reference/${name}`, import.meta.url)
const attributes = at('attributes.md')
writeFileSync(attributes, withAttributeTable(readFileSync(attributes, 'utf8')))

const events = at('events.md')
writeFileSync(events, withEventTables(readFileSync(events, 'utf8')))

const rights = at('rights.md')
const text = withRolesTable(withRightsTable(readFileSync(rights, 'utf8')))
writeFileSync(rights, withWorstTable(text, await judgedWays()))
