import { ownEntry } from '../../data/own-entry.ts'
import './role-matrix.css'
import { useSignal } from '@preact/signals'
import { useAct } from '../../data/use-act.ts'
import { changeRole, type Role } from '../../data/users.ts'
import { Button } from '../../parts/button.tsx'
import { Scroller } from '../../parts/scroller.tsx'
import { t } from '../../text/text.ts'
import { MatrixTable } from './matrix-table.tsx'
import { RemoveRole } from './remove-role.tsx'

type Draft = Readonly<Record<string, readonly string[]>>

/** The permissions of each role. Your own roles can be changed; changes are saved together. */
export function RoleMatrix({ roles }: { roles: readonly Role[] }) {
  const draft = useSignal<Draft>({})
  const removed = useSignal<Role | undefined>(undefined)
  const of = ({ name, permissions }: Role) => ownEntry(draft.value, name) ?? permissions
  const toggle = (role: Role, permission: string, isOn: boolean) => {
    const rest = of(role).filter((other) => other !== permission)
    draft.value = { ...draft.value, [role.name]: isOn ? [...rest, permission] : rest }
  }
  const remove = (role: Role | undefined) => {
    removed.value = role
  }
  const changed = roles.filter((role) => !isSame(of(role), role.permissions))
  return (
    <>
      <p class="quiet-text">{t.roles.intro}</p>
      <Scroller label={t.users.roles}>
        <MatrixTable roles={roles} of={of} toggle={toggle} remove={remove} />
      </Scroller>
      {changed.length > 0 && (
        <Changes
          of={changed.map((role) => ({ ...role, permissions: [...of(role)] }) as Role)}
          onEnd={() => {
            draft.value = {}
          }}
        />
      )}
      {removed.value && <RemoveRole role={removed.value} onClose={() => remove(undefined)} />}
    </>
  )
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((permission) => other.includes(permission))

async function saveRoles(roles: readonly Role[]): Promise<string> {
  for (const { name, permissions } of roles) await changeRole(name, permissions)
  return roles.map(({ name }) => name).join(', ')
}

/** The roles that were changed and are not saved yet. */
function Changes({ of: roles, onEnd }: { of: readonly Role[]; onEnd: () => void }) {
  const save = useAct(saveRoles, {
    ended: (names) => t.roles.saved(names),
    failed: t.roles.notSaved,
  })
  const submit = async () => {
    if (await save.run(roles)) onEnd()
  }
  return (
    <div class="matrix-changes">
      <span role="status">{t.roles.changed(roles.map(({ name }) => name).join(', '))}</span>
      <Button onClick={onEnd}>{t.roles.discard}</Button>
      <Button
        kind="primary"
        busy={save.pending.value && t.alerts.saving}
        onClick={() => void submit()}
      >
        {t.roles.save}
      </Button>
    </div>
  )
}
