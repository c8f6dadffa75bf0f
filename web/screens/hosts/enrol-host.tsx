import { useSignal } from '@preact/signals'
import { createHost } from '../../data/hosts.ts'
import { splitWords } from '../../data/split-words.ts'
import { useAct } from '../../data/use-act.ts'
import { bind } from '../../parts/bind.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { EnrolmentSteps } from './enrolment-steps.tsx'

/** Enrols a host: a name, then the line to run there, then its arrival. */
export function EnrolHost({ onClose }: { onClose: () => void }) {
  const name = useSignal('')
  const tags = useSignal('')
  const create = useAct(createHost, { failed: t.hosts.notAdded, tellsProblem: false })
  const created = create.result.value
  if (created) {
    return <EnrolmentSteps host={created.host} enrolment={created.enrolment} onClose={onClose} />
  }
  return (
    <FormDialog
      title={t.hosts.enrol}
      action={t.hosts.showCommand}
      busy={create.pending.value && t.hosts.adding}
      failed={t.hosts.notAdded}
      problem={create.problem.value}
      onSubmit={() => void create.run(name.value.trim(), splitWords(tags.value))}
      onClose={onClose}
    >
      <p>{t.hosts.enrolWhy}</p>
      <TextField label={t.hosts.name} {...bind(name)} autocomplete="off" required />
      <TextField
        label={t.hosts.tags}
        help={t.hosts.tagsHelp}
        {...bind(tags)}
        autocomplete="off"
        isOptional
      />
    </FormDialog>
  )
}
