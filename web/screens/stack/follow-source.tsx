import { useSignal } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import { session } from '../../data/session.ts'
import type { Source } from '../../data/sources.ts'
import { splitCommas } from '../../data/split-words.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { type FollowedSource, followSource } from '../../data/stack-source.ts'
import { useAct } from '../../data/use-act.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { bind } from '../../parts/bind.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'

interface FollowSourceProps {
  stack: Pick<StackDetails, 'name' | 'source'>
  onClose: () => void
}

/** Which source a stack follows, and what happens when that has something new. */
export default function FollowSource({ stack, onClose }: FollowSourceProps) {
  const { name, source: followed } = stack
  const resource = useResource('/sources')
  const sources = resource.value.value
  if (sources && (sources.length > 0 || followed)) {
    return <FollowForm name={name} followed={followed} sources={sources} onClose={onClose} />
  }
  return (
    <Dialog title={t.followed.title(name)} onClose={onClose}>
      <Loaded
        of={resource}
        what={t.frame.sources}
        failed={t.sources.failed}
        rows={3}
        empty={
          <Empty
            title={t.sources.empty}
            action={<LinkButton href="/sources">{t.frame.sources}</LinkButton>}
          >
            {t.followed.addFirst}
          </Empty>
        }
      >
        {() => null}
      </Loaded>
    </Dialog>
  )
}

interface FollowFormProps {
  name: string
  followed: FollowedSource | null
  sources: readonly Source[]
  onClose: () => void
}

const modes = ['notify', 'plan', 'deploy'] as const

function FollowForm({ name, followed, sources, onClose }: FollowFormProps) {
  const source = useSignal(followed?.source ?? sources[0]?.name ?? '')
  const folder = useSignal(followed?.path ?? '')
  const also = useSignal((followed?.also ?? []).join(', '))
  const mode = useSignal<FollowedSource['on_change']>(followed?.on_change ?? 'plan')
  const overwrite = useSignal(followed?.overwrite ?? false)
  const save = useAct(followSource, {
    ended: (saved) => t.followed.saved(name, saved.source),
    failed: t.followed.notSaved,
    tellsProblem: false,
  })
  const chosen = sources.find((one) => one.name === source.value)
  // A project in a registry has none.
  const hasFolders = chosen?.kind !== 'oci'
  const submit = async () => {
    const saved = await save.run(name, {
      source: source.value,
      path: hasFolders ? withoutSlashes(folder.value) : '',
      also: hasFolders ? splitCommas(also.value).map(withoutSlashes) : [],
      on_change: mode.value,
      overwrite: overwrite.value,
    })
    if (saved) onClose()
  }
  const actsAs = followed?.acts_as ?? null
  return (
    <FormDialog
      title={t.followed.title(name)}
      action={t.followed.save}
      size="medium"
      busy={save.pending.value && t.followed.saving}
      failed={t.followed.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{t.followed.what}</p>
      <Select
        label={t.followed.source}
        value={source.value}
        options={namesOf(sources, source.value)}
        onChange={(next) => {
          source.value = next
        }}
        help={chosen ? `${chosen.url} ${chosen.ref}` : t.followed.isGone}
      />
      {hasFolders && (
        <>
          <TextField
            label={t.followed.folder}
            help={t.followed.folderHelp}
            {...bind(folder)}
            autocomplete="off"
            isCode
            isOptional
          />
          <TextField
            label={t.followed.also}
            help={t.followed.alsoHelp}
            {...bind(also)}
            autocomplete="off"
            isCode
            isOptional
          />
        </>
      )}
      <Select
        label={t.followed.mode}
        help={t.followed.modeHelp[mode.value]}
        value={mode.value}
        options={modes.map((value) => ({ value, label: t.followed.modes[value] }))}
        onChange={(next) => {
          mode.value = next
        }}
      />
      <Checkbox
        label={t.followed.overwrite}
        help={t.followed.overwriteHelp}
        checked={overwrite.value}
        onChange={(checked) => {
          overwrite.value = checked
        }}
      />
      <p class="quiet-text">
        {t.followed.yours(actsAs === session.user.value?.username ? null : actsAs)}
      </p>
    </FormDialog>
  )
}

/** Returns the sources to choose from, with the one that is followed, which may be gone. */
function namesOf(sources: readonly Source[], current: string): { value: string; label: string }[] {
  const names = new Set([...sources.map(({ name }) => name), current])
  return [...names].map((name) => ({ value: name, label: name }))
}

const withoutSlashes = (path: string) => path.trim().replace(/^\/+|\/+$/g, '')
