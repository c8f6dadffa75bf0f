import { Trash2 } from 'lucide'
import type { Role } from '../../data/users.ts'
import { IconButton } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { t } from '../../text/text.ts'

interface MatrixTableProps {
  roles: readonly Role[]
  /** Returns the chosen permissions of a role. */
  of: (role: Role) => readonly string[]
  toggle: (role: Role, permission: string, isOn: boolean) => void
  remove: (role: Role) => void
}

/** A row for each permission, a column for each role. */
export function MatrixTable({ roles, of, toggle, remove }: MatrixTableProps) {
  return (
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">{t.roles.permission}</th>
          {roles.map((role) => (
            <th key={role.name} scope="col">
              <span class="role-head">
                {role.name}
                {!role.builtin && (
                  <IconButton
                    icon={Trash2}
                    label={t.roles.remove(role.name)}
                    onClick={() => remove(role)}
                  />
                )}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {permissionsOf(roles).map((permission) => (
          <tr key={permission}>
            <th scope="row">
              <code>{permission}</code>
            </th>
            {roles.map((role) => (
              <td key={role.name}>
                <Checkbox
                  label={t.roles.grants(role.name, permission)}
                  isBare
                  checked={of(role).includes(permission)}
                  disabled={role.builtin}
                  onChange={(isOn) => toggle(role, permission, isOn)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns every permission there is, in the order of the role that has most of them. */
const permissionsOf = (roles: readonly Role[]) => [
  ...new Set(
    [...roles]
      .sort((one, other) => other.permissions.length - one.permissions.length)
      .flatMap(({ permissions }) => permissions),
  ),
]
