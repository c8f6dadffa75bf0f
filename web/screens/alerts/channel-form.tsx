import './alerts.css'
import { useSignal } from '@preact/signals'
import { type AlertChannel, changeChannel, createChannel } from '../../data/alerts.ts'
import { useAct } from '../../data/use-act.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { bodyOf, type ChannelDraft, changeOf, draftOf, type Kind } from './channel-draft.ts'
import { MailFields } from './mail-fields.tsx'
import { ServiceFields } from './service-fields.tsx'

interface ChannelFormProps {
  /** The one to change; without it, one is added. */
  channel?: AlertChannel
  onClose: () => void
}

interface FieldsProps {
  draft: ChannelDraft
  set: (change: Partial<ChannelDraft>) => void
  /** Secrets are stored: an empty field keeps them. */
  isKnown: boolean
}

const kinds: readonly Kind[] = [
  'ntfy',
  'gotify',
  'telegram',
  'pushover',
  'matrix',
  'smtp',
  'slack',
  'discord',
  'teams',
  'apprise',
  'webhook',
]

const servicesWithFields: ReadonlySet<Kind> = new Set<Kind>([
  'gotify',
  'telegram',
  'pushover',
  'matrix',
  'apprise',
])

/** A channel: where alerts are sent. */
export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const draft = useSignal(draftOf(channel))
  const save = useAct(
    () =>
      channel
        ? changeChannel(channel.id, changeOf(draft.value))
        : createChannel(bodyOf(draft.value)),
    {
      ended: ({ name }) => t.alerts.savedChannel(name),
      failed: t.alerts.notSavedChannel,
      tellsProblem: false,
    },
  )
  const set = (change: Partial<ChannelDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const submit = async () => {
    if (await save.run()) onClose()
  }
  const { kind, name } = draft.value
  return (
    <FormDialog
      title={channel ? t.alerts.editChannel(channel.name) : t.alerts.addChannel}
      action={t.alerts.saveChannel}
      busy={save.pending.value && t.alerts.saving}
      failed={t.alerts.notSavedChannel}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {!channel && (
        <Select
          label={t.alerts.kind}
          value={kind}
          onChange={(value) => set({ kind: value })}
          options={kinds.map((value) => ({ value, label: t.alerts.kinds[value] }))}
        />
      )}
      <TextField
        label={t.alerts.name}
        value={name}
        onInput={(typed) => set({ name: typed })}
        autocomplete="off"
        required
      />
      <KindFields draft={draft.value} set={set} isKnown={channel !== undefined} />
    </FormDialog>
  )
}

function KindFields(props: FieldsProps) {
  const { draft, set, isKnown } = props
  if (draft.kind === 'smtp') return <MailFields {...props} />
  if (draft.kind === 'ntfy') return <NtfyFields {...props} />
  if (servicesWithFields.has(draft.kind)) return <ServiceFields {...props} />
  const whereFound = draft.kind === 'teams' ? t.alerts.teamsHelp : undefined
  const help = isKnown ? t.alerts.storedStays : whereFound
  return (
    <>
      <TextField
        label={t.alerts.url}
        {...(help !== undefined && { help })}
        type="url"
        value={draft.url}
        onInput={(typed) => set({ url: typed })}
        autocomplete="off"
        isCode
        required={!isKnown}
      />
      {draft.kind === 'webhook' && (
        <TextField
          label={t.alerts.secret}
          help={isKnown ? t.alerts.storedStays : t.alerts.secretHelp}
          type="password"
          value={draft.secret}
          onInput={(typed) => set({ secret: typed })}
          autocomplete="new-password"
          required={!isKnown}
        />
      )}
    </>
  )
}

function NtfyFields({ draft, set, isKnown }: FieldsProps) {
  return (
    <>
      <TextField
        label={t.alerts.server}
        help={isKnown ? t.alerts.storedStays : t.alerts.serverHelp}
        type="url"
        value={draft.server}
        onInput={(typed) => set({ server: typed })}
        autocomplete="off"
        isCode
        isOptional
      />
      <TextField
        label={t.alerts.topic}
        help={isKnown ? t.alerts.storedStays : t.alerts.topicHelp}
        value={draft.topic}
        onInput={(typed) => set({ topic: typed })}
        autocomplete="off"
        isCode
        required={!isKnown}
      />
      <TextField
        label={t.alerts.token}
        {...(isKnown && { help: t.alerts.storedStays })}
        type="password"
        value={draft.token}
        onInput={(typed) => set({ token: typed })}
        autocomplete="new-password"
        isOptional
      />
    </>
  )
}
