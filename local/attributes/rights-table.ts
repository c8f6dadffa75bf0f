import { type Need, rights } from '../../functions/core/owners/rights.ts'
import { fillTable } from '../fill-table.ts'

/** Returns a document with the generated table of rights by owner in its place. */
export function withRightsTable(document: string): string {
  return fillTable(document, 'rights', rightsTable())
}

const words: Record<Need, string> = {
  nothing: 'anyone',
  settings: '`settings:manage`, every host',
  secrets: '`containers:secrets`',
  deploy: 'its own stack, or one that the caller may deploy',
  shared: 'the same, `stacks:privileged`, or the setting',
  privileged: '`stacks:privileged`',
  leaver: 'to have deleted that stack, or `stacks:privileged`',
  own: 'its own stack',
  never: 'no account',
  refused: '409 for all',
}

/** Returns in Markdown what each access needs, by owner. */
function rightsTable(): string {
  const head = '| access | of a stack | of the installation | of others |\n|---|---|---|---|'
  const rows = Object.values(rights).map(
    ({ what, stack, installation, foreign }) =>
      `| ${what} | ${words[stack]} | ${words[installation]} | ${words[foreign]} |`,
  )
  return [head, ...rows].join('\n')
}
