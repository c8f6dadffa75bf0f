import { builtinRoles, permissions } from '../../functions/core/records/permissions.ts'

const [start, end] = ['<!-- roles -->', '<!-- /roles -->']

/** Returns a document with the generated table of the permissions of each role in its place. */
export function withRolesTable(document: string): string {
  const [before, rest] = document.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`there is no ${start} … ${end}`)
  return `${before}${start}\n${rolesTable()}\n${end}${after}`
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
