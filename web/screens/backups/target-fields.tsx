import { Field, TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import type { JobDraft, JobDraftProps } from './job-draft.ts'

/** Where backups are stored. */
export function TargetFields(props: JobDraftProps) {
  const { draft, set } = props
  return (
    <>
      <Select
        label={t.backups.target}
        value={draft.kind}
        onChange={(kind) => set({ kind })}
        options={(['local', 's3', 'sftp'] as const).map((value) => ({
          value,
          label: t.backups.targets[value],
        }))}
      />
      {draft.kind !== 's3' && (
        <TextField
          label={t.backups.path}
          help={draft.kind === 'local' ? t.backups.pathHelp : t.backups.pathOnServer}
          value={draft.path}
          onInput={(path) => set({ path })}
          autocomplete="off"
          isCode
          isOptional
        />
      )}
      {draft.kind === 's3' && <S3Fields {...props} />}
      {draft.kind === 'sftp' && <SftpFields {...props} />}
    </>
  )
}

function S3Fields({ draft: { s3 }, set, isKnown }: JobDraftProps) {
  const field = (key: keyof JobDraft['s3']) => ({
    label: t.backups.s3[key],
    value: s3[key],
    onInput: (typed: string) => set({ s3: { ...s3, [key]: typed } }),
    autocomplete: 'off',
    isCode: true,
  })
  return (
    <>
      <div class="form-row">
        <TextField {...field('bucket')} required />
        <TextField {...field('prefix')} isOptional />
      </div>
      <div class="form-row">
        <TextField {...field('endpoint')} help={t.backups.endpointHelp} isOptional />
        <TextField {...field('region')} required />
      </div>
      <div class="form-row">
        <TextField {...field('key')} required />
        <TextField
          {...field('secret')}
          {...(isKnown && { help: t.alerts.storedStays })}
          type="password"
          autocomplete="new-password"
          required={!isKnown}
        />
      </div>
    </>
  )
}

function SftpFields({ draft: { sftp }, set, isKnown }: JobDraftProps) {
  const field = (key: keyof JobDraft['sftp']) => ({
    label: t.backups.sftp[key],
    value: sftp[key],
    onInput: (typed: string) => set({ sftp: { ...sftp, [key]: typed } }),
    autocomplete: 'off',
    isCode: true,
  })
  return (
    <>
      <div class="form-row">
        <TextField {...field('host')} required />
        <TextField {...field('port')} type="number" required />
        <TextField {...field('username')} required />
      </div>
      <TextField {...field('hostKey')} help={t.backups.hostKeyHelp} required />
      <TextField
        {...field('password')}
        {...(isKnown && { help: t.alerts.storedStays })}
        type="password"
        autocomplete="new-password"
        isOptional
      />
      <Field
        label={t.backups.sftp.privateKey}
        isOptional
        {...(isKnown && { help: t.alerts.storedStays })}
      >
        {(control) => (
          <textarea
            {...control}
            class="input code"
            rows={3}
            spellcheck={false}
            value={sftp.privateKey}
            onInput={(event) => set({ sftp: { ...sftp, privateKey: event.currentTarget.value } })}
          />
        )}
      </Field>
    </>
  )
}
