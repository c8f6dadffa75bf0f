import { changeSource, type Source } from '../../data/sources.ts'
import { useAct } from '../../data/use-act.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { useLook } from './use-look.ts'

/** Asks whether the key of a server is the right one. The source is read after that. */
export function HostKey({ source, onClose }: { source: Source; onClose: () => void }) {
  const { name, host_key: known, last_error } = source
  const seen = last_error?.host_key ?? ''
  const confirm = useAct(() => changeSource(name, { host_key: seen }), {
    failed: t.sources.notSaved,
    tellsProblem: false,
  })
  const look = useLook()
  const submit = async () => {
    if (!(await confirm.run())) return
    onClose()
    await look.run(name)
  }
  return (
    <FormDialog
      title={t.sources.hostKeyOf(name)}
      action={t.sources.confirmHostKey}
      busy={confirm.pending.value && t.sources.saving}
      failed={t.sources.notSaved}
      problem={confirm.problem.value}
      size="medium"
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{known === null ? t.sources.hostKeyHelp : t.sources.hostKeyChanged(known)}</p>
      <CommandLine command={seen} what={t.sources.hostKey} />
    </FormDialog>
  )
}
