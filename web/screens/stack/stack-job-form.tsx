import { useSignal } from '@preact/signals'
import { session } from '../../data/session.ts'
import { changeStackJob, createStackJob, type StackJob } from '../../data/stack-jobs.ts'
import { useAct } from '../../data/use-act.ts'
import { CodeField } from '../../parts/code-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ScheduleFields } from '../../parts/schedule-fields.tsx'
import { t } from '../../text/text.ts'
import {
  bodyOf,
  draftOf,
  isOtherWork,
  jobSchedules,
  type StackJobDraft,
} from './stack-job-draft.ts'

interface StackJobFormProps {
  stack: { name: string }
  /** The job to edit; undefined to create one. */
  job?: StackJob | undefined
  onClose: () => void
}

/** A job of a stack: what it runs, when, and how much is kept. */
export default function StackJobForm({ stack: { name }, job, onClose }: StackJobFormProps) {
  const draft = useSignal<StackJobDraft>(draftOf(job))
  const save = useAct(saveJob, {
    ended: (saved) => t.jobs.saved(saved.job),
    failed: t.jobs.notSaved,
    tellsProblem: false,
  })
  const set = (change: Partial<StackJobDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const submit = async () => {
    if (await save.run(name, draft.value, job)) onClose()
  }
  const { service, command, timeout, keepRuns } = draft.value
  return (
    <FormDialog
      title={job ? t.jobs.edit(job.job) : t.jobs.addTo(name)}
      action={t.jobs.save}
      size="medium"
      busy={save.pending.value && t.jobs.saving}
      failed={t.jobs.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div class="form-row">
        {!job && (
          <TextField
            label={t.jobs.name}
            value={draft.value.job}
            onInput={(typed) => set({ job: typed })}
            autocomplete="off"
            required
          />
        )}
        <TextField
          label={t.jobs.service}
          help={t.jobs.serviceHelp}
          value={service}
          onInput={(typed) => set({ service: typed })}
          autocomplete="off"
          isCode
          required
        />
      </div>
      <CodeField
        label={t.jobs.command}
        help={t.jobs.commandHelp}
        rows={3}
        value={command}
        marks={[]}
        onInput={(typed) => set({ command: typed })}
      />
      <ScheduleFields
        label={t.jobs.when}
        draft={draft.value}
        set={set}
        usual={jobSchedules}
        names={t.jobs.schedules}
      />
      <div class="form-row">
        <TextField
          label={t.jobs.timeout}
          type="number"
          value={timeout}
          onInput={(typed) => set({ timeout: typed })}
          required
        />
        <TextField
          label={t.jobs.keepRuns}
          type="number"
          value={keepRuns}
          onInput={(typed) => set({ keepRuns: typed })}
          required
        />
      </div>
      <p class="quiet-text">{t.jobs.yours(otherAccount(job))}</p>
    </FormDialog>
  )
}

/** Saves a job. One that does the same as before goes on to act as its account. */
function saveJob(name: string, draft: StackJobDraft, job: StackJob | undefined) {
  const body = bodyOf(draft, job?.enabled ?? true)
  if (!job) return createStackJob(name, body)
  const { service: _, command: __, ...times } = body
  return changeStackJob(job, isOtherWork(body, job) ? body : times)
}

/** Returns the account whose rights runs have, if it is not the user's. */
function otherAccount(job: StackJob | undefined): string | null {
  const username = job?.acts_as.username ?? null
  return username === session.user.value?.username ? null : username
}
