import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import type { ChannelDraft } from './channel-draft.ts'

interface ServiceFieldsProps {
  draft: ChannelDraft
  set: (change: Partial<ChannelDraft>) => void
  /** Secrets are stored: an empty field keeps them. */
  isKnown: boolean
}

/** The fields of Gotify, Telegram, Pushover, Matrix and Apprise. */
export function ServiceFields(props: ServiceFieldsProps) {
  switch (props.draft.kind) {
    case 'gotify':
      return (
        <>
          <ServerField {...props} help={t.alerts.gotify.serverHelp} />
          <SecretField {...props} field="token" text={t.alerts.gotify.token} />
        </>
      )
    case 'telegram':
      return <TelegramFields {...props} />
    case 'pushover':
      return <PushoverFields {...props} />
    case 'matrix':
      return <MatrixFields {...props} />
    default:
      return <AppriseFields {...props} />
  }
}

function TelegramFields(props: ServiceFieldsProps) {
  const { draft, set, isKnown } = props
  return (
    <>
      <SecretField
        {...props}
        field="token"
        text={t.alerts.telegram.token}
        help={t.alerts.telegram.tokenHelp}
      />
      <div class="form-row">
        <TextField
          label={t.alerts.telegram.chat}
          help={t.alerts.telegram.chatHelp}
          value={draft.chat}
          onInput={(typed) => set({ chat: typed })}
          autocomplete="off"
          isCode
          required
        />
        <TextField
          label={t.alerts.telegram.thread}
          value={draft.thread}
          onInput={(typed) => set({ thread: typed })}
          type="number"
          autocomplete="off"
          isOptional
        />
      </div>
      <ServerField
        {...props}
        help={isKnown ? t.alerts.storedStays : t.alerts.telegram.serverHelp}
        isOptional
      />
    </>
  )
}

function PushoverFields(props: ServiceFieldsProps) {
  const { draft, set } = props
  return (
    <>
      <SecretField {...props} field="token" text={t.alerts.pushover.token} />
      <SecretField {...props} field="user" text={t.alerts.pushover.user} />
      <TextField
        label={t.alerts.pushover.device}
        help={t.alerts.pushover.deviceHelp}
        value={draft.device}
        onInput={(typed) => set({ device: typed })}
        autocomplete="off"
        isCode
        isOptional
      />
    </>
  )
}

function MatrixFields(props: ServiceFieldsProps) {
  const { draft, set } = props
  return (
    <>
      <ServerField {...props} help={t.alerts.matrix.serverHelp} />
      <TextField
        label={t.alerts.matrix.room}
        help={t.alerts.matrix.roomHelp}
        value={draft.room}
        onInput={(typed) => set({ room: typed })}
        autocomplete="off"
        isCode
        required
      />
      <SecretField {...props} field="token" text={t.alerts.token} />
    </>
  )
}

function AppriseFields(props: ServiceFieldsProps) {
  const { draft, set } = props
  const { place } = draft
  return (
    <>
      <ServerField {...props} help={t.alerts.apprise.serverHelp} />
      <Select
        label={t.alerts.apprise.place}
        value={place}
        onChange={(value) => set({ place: value, key: '', urls: '' })}
        options={(['key', 'urls'] as const).map((value) => ({
          value,
          label: t.alerts.apprise.places[value],
        }))}
      />
      <SecretField
        {...props}
        field={place}
        text={t.alerts.apprise.places[place]}
        help={t.alerts.apprise.placeHelps[place]}
      />
      <TextField
        label={t.alerts.apprise.tag}
        help={t.alerts.apprise.tagHelp}
        value={draft.tag}
        onInput={(typed) => set({ tag: typed })}
        autocomplete="off"
        isCode
        isOptional
      />
    </>
  )
}

interface ServerFieldProps extends ServiceFieldsProps {
  help: string
  isOptional?: boolean
}

function ServerField({ draft, set, help, isOptional = false }: ServerFieldProps) {
  return (
    <TextField
      label={t.alerts.server}
      help={help}
      type="url"
      value={draft.server}
      onInput={(typed) => set({ server: typed })}
      autocomplete="off"
      isCode
      isOptional={isOptional}
      required={!isOptional}
    />
  )
}

interface SecretFieldProps extends ServiceFieldsProps {
  field: 'token' | 'user' | 'key' | 'urls'
  text: string
  help?: string
}

function SecretField({ draft, set, isKnown, field, text, help }: SecretFieldProps) {
  const shown = isKnown ? t.alerts.storedStays : help
  return (
    <TextField
      label={text}
      {...(shown !== undefined && { help: shown })}
      type="password"
      value={draft[field]}
      onInput={(typed) => set({ [field]: typed })}
      autocomplete="new-password"
      required={!isKnown}
    />
  )
}
