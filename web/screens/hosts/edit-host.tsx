import { useSignal } from '@preact/signals'
import { changeHost, type Host } from '../../data/hosts.ts'
import { splitWords } from '../../data/split-words.ts'
import { useAct } from '../../data/use-act.ts'
import { bind } from '../../parts/bind.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'

/** Changes the name, the tags and the address of a host. */
export function EditHost({ host, onClose }: { host: Host; onClose: () => void }) {
  const name = useSignal<string>(host.name)
  const tags = useSignal(host.tags.join(', '))
  const address = useSignal(host.address ?? '')
  const save = useAct(changeHost, {
    ended: (changed) => t.hosts.saved(changed.name),
    failed: t.hosts.notSaved,
    tellsProblem: false,
  })
  const submit = async () => {
    const typed = address.value.trim()
    const changed = await save.run(host.id, {
      name: name.value.trim(),
      tags: splitWords(tags.value),
      address: typed === '' ? null : typed,
    })
    if (changed) onClose()
  }
  return (
    <FormDialog
      title={t.hosts.edit(host.name)}
      action={t.hosts.save}
      busy={save.pending.value && t.hosts.saving}
      failed={t.hosts.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField label={t.hosts.name} {...bind(name)} autocomplete="off" required />
      <TextField
        label={t.hosts.tags}
        help={t.hosts.tagsHelp}
        {...bind(tags)}
        autocomplete="off"
        isOptional
      />
      <TextField
        label={t.hosts.address}
        help={t.hosts.addressHelp}
        {...bind(address)}
        autocomplete="off"
        isOptional
      />
    </FormDialog>
  )
}
