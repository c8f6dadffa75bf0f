import { useSignal } from '@preact/signals'
import { changeRegistry, createRegistry, type Registry } from '../../data/registries.ts'
import { useAct } from '../../data/use-act.ts'
import { bind } from '../../parts/bind.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'

interface RegistryFormProps {
  /** The one to change; without it, one is added. */
  registry?: Registry
  onClose: () => void
}

/** Stores the credentials of a registry. */
export function RegistryForm({ registry, onClose }: RegistryFormProps) {
  const address = useSignal(registry?.address ?? '')
  const username = useSignal(registry?.username ?? '')
  const password = useSignal('')
  const save = useAct(
    () => {
      const user = username.value.trim()
      const typed = password.value
      if (!registry) {
        return createRegistry({ address: address.value.trim(), username: user, password: typed })
      }
      return changeRegistry(registry.id, { username: user, ...(typed && { password: typed }) })
    },
    {
      ended: (saved) => t.registries.saved(saved.address),
      failed: t.registries.notSaved,
      tellsProblem: false,
    },
  )
  const submit = async () => {
    if (await save.run()) onClose()
  }
  return (
    <FormDialog
      title={registry ? t.registries.change(registry.address) : t.registries.add}
      action={t.registries.save}
      busy={save.pending.value && t.registries.saving}
      failed={t.registries.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {!registry && (
        <TextField
          label={t.registries.address}
          help={t.registries.addressHelp}
          {...bind(address)}
          autocomplete="off"
          isCode
          required
        />
      )}
      <TextField label={t.registries.username} {...bind(username)} autocomplete="off" required />
      <TextField
        label={t.registries.password}
        help={registry ? t.registries.passwordStays : t.registries.passwordHelp}
        {...bind(password)}
        type="password"
        autocomplete="new-password"
        required={!registry}
      />
    </FormDialog>
  )
}
