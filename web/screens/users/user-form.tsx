import { useSignal } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import { splitWords } from '../../data/split-words.ts'
import { useAct } from '../../data/use-act.ts'
import { changeUser, createUser, type User } from '../../data/users.ts'
import { bind } from '../../parts/bind.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'

interface UserFormProps {
  /** The one to change; without it, one is added. */
  user: User | undefined
  onClose: () => void
}

/** An account: its name, its role, the hosts that it is limited to, and its password. */
export function UserForm({ user, onClose }: UserFormProps) {
  const username = useSignal(user?.username ?? '')
  const email = useSignal(user?.email ?? '')
  const role = useSignal(user?.role ?? 'viewer')
  const tags = useSignal(user?.scope_tags.join(', ') ?? '')
  const password = useSignal('')
  const save = useAct(
    () => {
      const body = {
        username: username.value.trim(),
        role: role.value,
        email: email.value.trim() || null,
        scope_tags: splitWords(tags.value),
      }
      const typed = password.value
      if (!user) return createUser({ ...body, password: typed })
      return changeUser(user.id, { ...body, ...(typed && { password: typed }) })
    },
    {
      ended: (saved) => t.users.saved(saved.username),
      failed: t.users.notSaved,
      tellsProblem: false,
    },
  )
  const submit = async () => {
    if (await save.run()) onClose()
  }
  return (
    <FormDialog
      title={user ? t.users.edit(user.username) : t.users.add}
      action={t.users.save}
      busy={save.pending.value && t.alerts.saving}
      failed={t.users.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField label={t.users.username} {...bind(username)} autocomplete="off" required />
      <RoleChoice role={role} />
      {user?.has_password !== false && (
        <TextField
          label={t.users.password}
          help={user ? t.users.passwordStays : t.users.passwordHelp}
          {...bind(password)}
          type="password"
          autocomplete="new-password"
          required={!user}
        />
      )}
      <TextField
        label={t.users.email}
        {...bind(email)}
        type="email"
        autocomplete="off"
        isOptional
      />
      <TextField
        label={t.users.scope}
        help={t.users.scopeHelp}
        {...bind(tags)}
        autocomplete="off"
        isOptional
      />
    </FormDialog>
  )
}

const builtin = ['admin', 'operator', 'viewer']

function RoleChoice({ role }: { role: { value: string } }) {
  return can('roles:manage') ? <EveryRole role={role} /> : <Roles role={role} names={builtin} />
}

function EveryRole({ role }: { role: { value: string } }) {
  const { value } = useResource('/roles')
  return <Roles role={role} names={value.value?.map(({ name }) => name) ?? builtin} />
}

function Roles({ role, names }: { role: { value: string }; names: readonly string[] }) {
  const all = names.includes(role.value) ? names : [...names, role.value]
  return (
    <Select
      label={t.users.role}
      value={role.value}
      onChange={(name) => {
        role.value = name
      }}
      options={all.map((name) => ({ value: name, label: name }))}
    />
  )
}
