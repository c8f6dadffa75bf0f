import { useSignal } from '@preact/signals'
import { changeSource, createSource, type Source } from '../../data/sources.ts'
import { useAct } from '../../data/use-act.ts'
import { bind } from '../../parts/bind.ts'
import { Field, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { nameIn, placeOf } from './source-url.ts'

interface SourceFormProps {
  /** The one to change; without it, one is added. */
  source?: Source
  onSaved: (saved: Source) => void
  onClose: () => void
}

/** Seconds from one look to the next that are offered; `0`: only by hand. */
const times = ['60', '300', '900', '3600', '21600', '0'] as const

/** Where a source is, and how it is read. */
export function SourceForm({ source, onSaved, onClose }: SourceFormProps) {
  const url = useSignal(source?.url ?? '')
  const name = useSignal(source?.name ?? '')
  const isNamed = useSignal(source !== undefined)
  const ref = useSignal(source?.ref ?? '')
  const username = useSignal(source?.username ?? '')
  const password = useSignal('')
  const authority = useSignal(source?.certificate_authority ?? '')
  const every = useSignal(String(source ? (source.look_every_seconds ?? 0) : 300))
  const place = placeOf(url.value)
  const isHttps = place.kind === 'git' && !place.isSsh
  const save = useAct(
    async () => {
      const of = placeOf(url.value)
      const common = {
        look_every_seconds: Number(every.value) || null,
        ref: ref.value.trim() || (of.kind === 'git' ? 'HEAD' : 'latest'),
      }
      const user = of.isSsh ? '' : username.value.trim()
      const typed = password.value
      const pem = of.kind === 'git' && !of.isSsh ? authority.value.trim() : ''
      if (!source) {
        return createSource({
          ...common,
          name: name.value.trim(),
          kind: of.kind,
          url: url.value.trim(),
          ...(user && { username: user, password: typed }),
          ...(pem && { certificate_authority: pem }),
        })
      }
      return changeSource(source.name, {
        ...common,
        ...(user !== (source.username ?? '') && { username: user || null }),
        ...(user && typed && { password: typed }),
        ...(pem !== (source.certificate_authority ?? '') && {
          certificate_authority: pem || null,
        }),
      })
    },
    {
      ended: (saved) => t.sources.saved(saved.name),
      failed: t.sources.notSaved,
      tellsProblem: false,
    },
  )
  const submit = async () => {
    const saved = await save.run()
    if (saved) onSaved(saved)
  }
  const typeUrl = (typed: string) => {
    url.value = typed
    if (!isNamed.value) name.value = nameIn(typed)
  }
  const typeName = (typed: string) => {
    isNamed.value = typed !== ''
    name.value = typed
  }
  return (
    <FormDialog
      title={source ? t.sources.change(source.name) : t.sources.add}
      action={t.sources.save}
      size="medium"
      busy={save.pending.value && t.sources.saving}
      failed={t.sources.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t.sources.url}
        help={source ? t.sources.urlStays : t.sources.urlHelp}
        value={url.value}
        onInput={typeUrl}
        autocomplete="off"
        readOnly={source !== undefined}
        isCode
        required
      />
      {!source && (
        <TextField
          label={t.sources.name}
          help={t.sources.nameHelp}
          value={name.value}
          onInput={typeName}
          autocomplete="off"
          required
        />
      )}
      <TextField
        label={place.kind === 'git' ? t.sources.gitRef : t.sources.ociRef}
        help={place.kind === 'git' ? t.sources.gitRefHelp : t.sources.ociRefHelp}
        {...bind(ref)}
        autocomplete="off"
        isCode
        isOptional
      />
      {place.isSsh ? (
        !source && <p>{t.sources.sshHelp}</p>
      ) : (
        <>
          <TextField
            label={t.registries.username}
            help={place.kind === 'oci' ? t.sources.ociUserHelp : t.sources.gitUserHelp}
            {...bind(username)}
            autocomplete="off"
            isOptional
          />
          {username.value.trim() !== '' && (
            <TextField
              label={t.registries.password}
              help={source?.username ? t.registries.passwordStays : t.registries.passwordHelp}
              {...bind(password)}
              type="password"
              autocomplete="new-password"
              required={
                username.value.trim() !== source?.username ||
                authority.value.trim() !== (source.certificate_authority ?? '')
              }
            />
          )}
        </>
      )}
      {isHttps && (
        <Field label={t.sources.authority} help={t.sources.authorityHelp} isOptional>
          {(control) => (
            <textarea
              {...control}
              class="input code"
              rows={3}
              spellcheck={false}
              value={authority.value}
              onInput={(event) => {
                authority.value = event.currentTarget.value
              }}
            />
          )}
        </Field>
      )}
      <Select
        label={t.sources.every}
        help={t.sources.everyHelp}
        value={every.value}
        options={offered(every.value)}
        onChange={(chosen) => {
          every.value = chosen
        }}
      />
    </FormDialog>
  )
}

/** Returns the times that can be chosen, with the present one. */
function offered(current: string): { value: string; label: string }[] {
  const known: { value: string; label: string }[] = times.map((value) => ({
    value,
    label: t.sources.times[value],
  }))
  const isKnown = known.some(({ value }) => value === current)
  return isKnown
    ? known
    : [{ value: current, label: t.sources.otherTime(Number(current)) }, ...known]
}
