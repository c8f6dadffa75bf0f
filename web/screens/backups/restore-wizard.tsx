import './backups.css'
import '../alerts/alerts.css'
import { useSignal } from '@preact/signals'
import { type BackupRun, restoreRun } from '../../data/backups.ts'
import { useResource } from '../../data/cache.ts'
import { fieldErrors } from '../../data/field-errors.ts'
import { splitHosts } from '../../data/host-lists.ts'
import { useAct } from '../../data/use-act.ts'
import { go } from '../../frame/address.ts'
import { HostChoice } from '../../frame/host-choice.tsx'
import type { HostId } from '../../host-ids.ts'
import { bind } from '../../parts/bind.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import {
  effectsOf,
  type Present,
  type Restorable,
  restorables,
  restoreBody,
} from './restore-plan.ts'
import { RestorePreview } from './restore-preview.tsx'

/** The fields of the request that the form has. */
const names = ['stack_name']

/** Restores a backup in two steps: what and where to, then what is replaced by it. */
export function RestoreWizard({ run, onClose }: { run: BackupRun; onClose: () => void }) {
  const all = restorables(run.contents)
  const chosen = useSignal<readonly Restorable[]>(all)
  const host = useSignal(run.host)
  const rename = useSignal('')
  const typed = useSignal('')
  const isPreview = useSignal(false)
  const { present, problem: unknown, reload } = usePresent(host.value)
  const restore = useAct(restoreRun, { failed: t.backups.notRestored, tellsProblem: false })
  const newName =
    chosen.value.length === 1 && chosen.value[0]?.kind === 'stack' ? rename.value.trim() : ''
  const effects = present ? effectsOf(chosen.value, newName, present) : []
  const replaced = effects.filter(({ isReplaced }) => isReplaced)
  const word = replaced[0]?.name
  const submit = async () => {
    if (!isPreview.value) {
      isPreview.value = true
      return
    }
    const options = { host: host.value, rename: newName, overwrite: replaced.length > 0 }
    const started = await restore.run(run.id, restoreBody(chosen.value, options))
    // What is wrong with the name is said at its field.
    if (fieldErrors(restore.problem.peek(), names).of.stack_name) isPreview.value = false
    if (started) go(`/backups/runs?run=${started.id}`)
  }
  const { of: wrong, rest } = fieldErrors(restore.problem.value, names)
  const blocked =
    chosen.value.length === 0
      ? t.backups.chooseSources
      : !present
        ? unknown
          ? t.backups.notLookedUp
          : t.backups.lookingUp
        : isPreview.value && word !== undefined && typed.value.trim() !== word
          ? t.parts.typeToConfirm(word)
          : undefined
  return (
    <FormDialog
      title={t.backups.restoreOf(run.job_name)}
      action={isPreview.value ? t.backups.restoreNow(effects.length) : t.backups.showEffects}
      size="medium"
      busy={restore.pending.value && t.backups.restoring}
      blocked={blocked}
      failed={t.backups.notRestored}
      problem={rest}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {isPreview.value ? (
        <>
          <RestorePreview
            effects={effects}
            warnings={run.warnings}
            onBack={() => {
              isPreview.value = false
            }}
          />
          {word !== undefined && (
            <TextField
              label={t.parts.typeToConfirm(word)}
              {...bind(typed)}
              autocomplete="off"
              isCode
            />
          )}
        </>
      ) : (
        <>
          <p class="wizard-step">{t.backups.step(1)}</p>
          <Choice all={all} chosen={chosen} />
          <HostChoice to={host} />
          {!present && unknown && (
            <Problem title={t.backups.notLookedUp} {...unknown} onRetry={reload} />
          )}
          {chosen.value.length === 1 && chosen.value[0]?.kind === 'stack' && (
            <TextField
              label={t.backups.rename}
              help={t.backups.renameHelp}
              {...bind(rename)}
              autocomplete="off"
              isOptional
              error={wrong.stack_name}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

interface ChoiceProps {
  all: readonly Restorable[]
  chosen: { value: readonly Restorable[] }
}

function Choice({ all, chosen }: ChoiceProps) {
  const isChosen = ({ kind, name }: Restorable) =>
    chosen.value.some((one) => one.kind === kind && one.name === name)
  return (
    <fieldset class="choices">
      <legend>{t.backups.what}</legend>
      {all.map((one) => (
        <Checkbox
          key={`${one.kind} ${one.name}`}
          label={one.kind === 'stack' ? t.backups.stack(one.name) : t.backups.volume(one.name)}
          {...(one.volumes.length > 0 && { help: t.backups.withVolumes(one.volumes.join(', ')) })}
          checked={isChosen(one)}
          onChange={() => {
            chosen.value = all.filter((other) => isChosen(other) !== (other === one))
          }}
        />
      ))}
    </fieldset>
  )
}

/** Returns what exists on a host; nothing while that is loading, and why if it cannot be. */
function usePresent(host: HostId) {
  const stacks = useResource('/stacks')
  const volumes = useResource('/volumes', { host })
  const reload = () => {
    void stacks.reload()
    void volumes.reload()
  }
  const problem = stacks.problem.value ?? volumes.problem.value
  const { value: ofStacks } = stacks.value
  const { value: ofVolumes } = volumes.value
  if (!ofStacks || !ofVolumes) return { present: undefined, problem, reload }
  const present: Present = {
    stacks: ofStacks.map(({ name }) => name),
    volumes: splitHosts(ofVolumes).items.map(({ name }) => name),
  }
  return { present, problem, reload }
}
