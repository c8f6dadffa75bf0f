import { builtinRoles, permissions } from '../../functions/core/records/permissions.ts'
import { fillTable } from '../fill-table.ts'

/** Returns a document with the generated table of the permissions of each role in its place. */
export function withRolesTable(document: string): string {
  return fillTable(document, 'roles', rolesTable())
}

function rolesTable(): string {
  const roles = Object.keys(builtinRoles)
  const head = `| permission | ${roles.join(' | ')} |\n|---|${roles.map(() => '---|').join('')}`
  const rows = permissions.map((permission) => {
    const cells = roles.map((role) => (builtinRoles[role]?.includes(permission) ? 'yes' : ''))
    return `| \`${permission}\` | ${cells.join(' | ')} |`
  })
  return [head, ...rows].join('\n')
}
