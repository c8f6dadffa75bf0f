import { useSignal } from '@preact/signals'
import { renamePasskey } from '../../data/passkeys.ts'
import { useAct } from '../../data/use-act.ts'
import { bind } from '../../parts/bind.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'

interface RenamePasskeyProps {
  passkey: { id: string; name: string }
  onClose: () => void
}

/** Asks for another name of a passkey. */
export function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  const name = useSignal(passkey.name)
  const rename = useAct(renamePasskey, {
    failed: t.account.passkeyNotRenamed,
    tellsProblem: false,
  })
  const submit = async () => {
    await rename.run(passkey.id, name.value.trim())
    if (!rename.problem.value) onClose()
  }
  return (
    <FormDialog
      title={t.account.renamePasskey(passkey.name)}
      action={t.account.rename}
      busy={rename.pending.value && t.account.renaming}
      failed={t.account.passkeyNotRenamed}
      problem={rename.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField label={t.account.passkeyName} {...bind(name)} autocomplete="off" required />
    </FormDialog>
  )
}
