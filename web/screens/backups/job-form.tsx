import '../alerts/alerts.css'
import { useSignal } from '@preact/signals'
import { type BackupJob, saveJob } from '../../data/backups.ts'
import { session } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { HostChoice } from '../../frame/host-choice.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { HookFields } from './hook-fields.tsx'
import { bodyOf, draftOf, type JobDraft } from './job-draft.ts'
import { JobTimes } from './job-times.tsx'
import { SourceFields } from './source-fields.tsx'
import { TargetFields } from './target-fields.tsx'

interface JobFormProps {
  /** The job to edit; undefined to create one. */
  job: BackupJob | undefined
  onClose: () => void
}

/** A backup job: what, where to, when, and how much is kept. */
export function JobForm({ job, onClose }: JobFormProps) {
  const draft = useSignal<JobDraft>(draftOf(job))
  const host = useSignal(draft.value.host)
  const save = useAct(saveJob, {
    ended: ({ name }) => t.backups.saved(name),
    failed: t.backups.notSaved,
    tellsProblem: false,
  })
  const set = (change: Partial<JobDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const submit = async () => {
    if (await save.run(job?.id, bodyOf({ ...draft.value, host: host.value }))) onClose()
  }
  const { name, sources, encrypt, stops } = draft.value
  const isKnown = job !== undefined
  return (
    <FormDialog
      title={job ? t.backups.edit(job.name) : t.backups.add}
      action={t.backups.save}
      size="medium"
      busy={save.pending.value && t.alerts.saving}
      blocked={sources.length === 0 ? t.backups.chooseSources : undefined}
      failed={t.backups.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div class="form-row">
        <TextField
          label={t.backups.name}
          value={name}
          onInput={(typed) => set({ name: typed })}
          autocomplete="off"
          required
        />
        <HostChoice to={host} />
      </div>
      <SourceFields host={host.value} draft={draft.value} set={set} />
      <TargetFields draft={draft.value} set={set} isKnown={isKnown} />
      <JobTimes draft={draft.value} set={set} />
      <Checkbox
        label={t.backups.encrypt}
        help={t.backups.encryptHelp}
        checked={encrypt}
        onChange={(checked) => set({ encrypt: checked })}
      />
      {stops !== undefined && (
        <Checkbox
          label={t.backups.stops}
          help={t.backups.stopsHelp}
          checked={stops}
          onChange={(checked) => set({ stops: checked })}
        />
      )}
      <HookFields draft={draft.value} set={set} />
      {job && job.acts_as.username !== session.user.value?.username && (
        <p class="quiet-text">{t.backups.actsAsYou(job.acts_as.username)}</p>
      )}
    </FormDialog>
  )
}
