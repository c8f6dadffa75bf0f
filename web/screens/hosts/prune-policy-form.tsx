import '../alerts/alerts.css'
import { useSignal } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import type { Host } from '../../data/hosts.ts'
import { deletePrunePolicy, type PrunePolicy, savePrunePolicy } from '../../data/prune-policy.ts'
import { can, session } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Loaded } from '../../frame/loaded.tsx'
import type { HostId } from '../../host-ids.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ScheduleFields } from '../../parts/schedule-fields.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { ImageSizes } from '../images/image-sizes.tsx'
import { KeptImages } from '../images/kept-images.tsx'
import { bodyOf, draftOf, type PruneDraft, previewOf, pruneSchedules } from './prune-draft.ts'

interface PrunePolicyFormProps {
  host: Host
  policy: PrunePolicy
  onClose: () => void
}

interface FieldsProps {
  draft: PruneDraft
  set: (change: Partial<PruneDraft>) => void
}

/** Which unused images of a host are removed, and when. Shows first which these are. */
export default function PrunePolicyForm({ host, policy, onClose }: PrunePolicyFormProps) {
  const { id, name } = host
  const draft = useSignal(draftOf(policy))
  const save = useAct(savePrunePolicy, {
    ended: () => t.prune.saved(name),
    failed: t.prune.notSaved,
    tellsProblem: false,
  })
  const remove = useAct(deletePrunePolicy, {
    ended: () => t.prune.deleted(name),
    failed: t.prune.notDeleted,
  })
  const set = (change: Partial<PruneDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const closeIfDone = async (work: Promise<unknown>, { problem }: typeof save) => {
    await work
    if (problem.value === undefined) onClose()
  }
  return (
    <FormDialog
      title={t.prune.of(name)}
      action={t.prune.save}
      size="medium"
      busy={save.pending.value && t.prune.saving}
      failed={t.prune.notSaved}
      problem={save.problem.value}
      onSubmit={() => void closeIfDone(save.run(id, bodyOf(draft.value)), save)}
      onClose={onClose}
    >
      <WhichFields draft={draft.value} set={set} />
      <ScheduleFields
        label={t.prune.when}
        draft={draft.value}
        set={set}
        usual={pruneSchedules}
        names={t.prune.schedules}
      />
      <Preview host={id} draft={draft.value} />
      <p class="quiet-text">{t.prune.yours(otherAccount(policy))}</p>
      {policy.schedule !== null && (
        <div class="policy-reset">
          <Button
            busy={remove.pending.value && t.prune.deleting}
            onClick={() => void closeIfDone(remove.run(id), remove)}
          >
            {t.prune.delete}
          </Button>
          <span class="quiet-text">{t.prune.deleteHelp}</span>
        </div>
      )}
    </FormDialog>
  )
}

function WhichFields({ draft, set }: FieldsProps) {
  const mayAll = can('stacks:privileged')
  const choices = (['nameless', 'unused'] as const).filter(
    (what) => what === 'nameless' || mayAll || what === draft.what,
  )
  return (
    <>
      <Select
        label={t.prune.which}
        value={draft.what}
        options={choices.map((value) => ({ value, label: t.prune.whichOnes[value] }))}
        onChange={(what) => set({ what })}
        help={mayAll ? t.prune.whichHelp[draft.what] : t.images.allNeeds}
      />
      {draft.what === 'unused' && (
        <TextField
          label={t.prune.days}
          type="number"
          value={draft.days}
          onInput={(days) => set({ days })}
          help={t.prune.daysHelp}
          required
        />
      )}
    </>
  )
}

/** What the next run would remove, what waits, and what stays. */
function Preview({ host, draft }: { host: HostId; draft: PruneDraft }) {
  const query = previewOf(draft)
  return query ? <PreviewOf host={host} query={query} /> : null
}

type PreviewQuery = NonNullable<ReturnType<typeof previewOf>>

function PreviewOf({ host, query }: { host: HostId; query: PreviewQuery }) {
  const preview = useResource('/hosts/{id}/prune-policy/preview', { id: host, ...query })
  return (
    <section aria-label={t.prune.preview}>
      <h3>{t.prune.preview}</h3>
      <Loaded of={preview} what={t.frame.images} failed={t.images.failed} rows={2}>
        {({ images, waiting, kept }) => (
          <>
            {images.length === 0 ? (
              <p role="status">{t.prune.nothing}</p>
            ) : (
              <ImageSizes of={images} />
            )}
            {waiting.length > 0 && <p>{t.prune.waiting(waiting.length)}</p>}
            <KeptImages of={kept} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Returns the account whose rights runs have, if it is not the user's. */
const otherAccount = ({ acts_as: actsAs }: PrunePolicy): string | null =>
  actsAs === session.user.value?.username ? null : actsAs
