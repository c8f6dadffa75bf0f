import { useSignal } from '@preact/signals'
import { useAct } from '../../data/use-act.ts'
import { createRole, type Role } from '../../data/users.ts'
import { bind } from '../../parts/bind.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'

/** A dialog for a new role. It starts with the permissions of another role. */
export function NewRole({ roles, onClose }: { roles: readonly Role[]; onClose: () => void }) {
  const name = useSignal('')
  const from = useSignal('viewer')
  const create = useAct(createRole, {
    ended: (role) => t.roles.created(role.name),
    failed: t.roles.notCreated,
    tellsProblem: false,
  })
  const submit = async () => {
    const permissions = roles.find((role) => role.name === from.value)?.permissions ?? []
    if (await create.run(name.value.trim(), permissions)) onClose()
  }
  return (
    <FormDialog
      title={t.roles.add}
      action={t.roles.create}
      busy={create.pending.value && t.roles.creating}
      failed={t.roles.notCreated}
      problem={create.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t.roles.name}
        help={t.roles.nameHelp}
        {...bind(name)}
        autocomplete="off"
        required
      />
      <Select
        label={t.roles.from}
        value={from.value}
        onChange={(value) => {
          from.value = value
        }}
        options={roles.map((role) => ({ value: role.name, label: role.name }))}
      />
    </FormDialog>
  )
}
