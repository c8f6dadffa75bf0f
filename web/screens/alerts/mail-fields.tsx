import { TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import type { ChannelDraft } from './channel-draft.ts'

interface MailFieldsProps {
  draft: ChannelDraft
  set: (change: Partial<ChannelDraft>) => void
  isKnown: boolean
}

/** The fields of a mail server. */
export function MailFields({ draft, set, isKnown }: MailFieldsProps) {
  const field = (key: 'host' | 'port' | 'username' | 'from' | 'to') => ({
    label: t.alerts.mail[key],
    value: draft[key],
    onInput: (typed: string) => set({ [key]: typed }),
    autocomplete: 'off',
  })
  return (
    <>
      <div class="form-row">
        <TextField {...field('host')} required />
        <TextField {...field('port')} type="number" required />
        <Select
          label={t.alerts.mail.security}
          value={draft.security}
          onChange={(value) => set({ security: value })}
          options={(['starttls', 'tls', 'none'] as const).map((value) => ({
            value,
            label: t.alerts.mail.securities[value],
          }))}
        />
      </div>
      <div class="form-row">
        <TextField {...field('username')} isOptional />
        <TextField
          label={t.alerts.mail.password}
          {...(isKnown && { help: t.alerts.storedStays })}
          type="password"
          value={draft.password}
          onInput={(typed) => set({ password: typed })}
          autocomplete="new-password"
          isOptional
        />
      </div>
      <TextField {...field('from')} type="email" required />
      <TextField {...field('to')} help={t.alerts.mail.toHelp} required />
    </>
  )
}
