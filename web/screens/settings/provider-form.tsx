import { useSignal } from '@preact/signals'
import { type Provider, saveProvider } from '../../data/settings.ts'
import { splitWords } from '../../data/split-words.ts'
import { useAct } from '../../data/use-act.ts'
import { bind } from '../../parts/bind.ts'
import { Field, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { linesOfMap, mapOfLines } from './role-map.ts'

interface ProviderFormProps {
  /** The one to change; without it, one is added. */
  provider: Provider | undefined
  onClose: () => void
}

/** An identity provider: where it is, and which of its users get which role. */
export function ProviderForm({ provider, onClose }: ProviderFormProps) {
  const name = useSignal(provider?.name ?? '')
  const issuer = useSignal(provider?.issuer_url ?? '')
  const client = useSignal(provider?.client_id ?? '')
  const secret = useSignal('')
  const scopes = useSignal(provider?.scopes.join(' ') ?? 'openid profile email')
  const claim = useSignal(provider?.role_claim ?? '')
  const map = useSignal(linesOfMap(provider?.role_map ?? {}))
  const role = useSignal(provider?.default_role ?? '')
  const save = useAct(
    () =>
      saveProvider(provider?.id, {
        name: name.value.trim(),
        issuer_url: issuer.value.trim(),
        client_id: client.value.trim(),
        scopes: splitWords(scopes.value),
        ...(secret.value && { client_secret: secret.value }),
        role_claim: claim.value.trim() || null,
        role_map: mapOfLines(map.value),
        default_role: role.value.trim() || null,
      }),
    { ended: (saved) => t.sso.saved(saved.name), failed: t.sso.notSaved, tellsProblem: false },
  )
  const submit = async () => {
    if (await save.run()) onClose()
  }
  return (
    <FormDialog
      title={provider ? t.sso.edit(provider.name) : t.sso.add}
      action={t.sso.save}
      size="medium"
      busy={save.pending.value && t.alerts.saving}
      failed={t.sso.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField label={t.sso.name} help={t.sso.nameHelp} {...bind(name)} required />
      <TextField label={t.sso.issuer} {...bind(issuer)} type="url" isCode required />
      <div class="settings-fields">
        <TextField label={t.sso.client} {...bind(client)} autocomplete="off" isCode required />
        <TextField
          label={t.sso.secret}
          {...(provider && { help: t.alerts.storedStays })}
          {...bind(secret)}
          type="password"
          autocomplete="new-password"
          required={!provider}
        />
        <TextField label={t.sso.scopes} {...bind(scopes)} isCode />
        <TextField
          label={t.sso.defaultRole}
          help={t.sso.defaultRoleHelp}
          {...bind(role)}
          isOptional
        />
        <TextField label={t.sso.claim} help={t.sso.claimHelp} {...bind(claim)} isCode isOptional />
        <Field label={t.sso.map} help={t.sso.mapHelp} isOptional>
          {(control) => (
            <textarea
              {...control}
              class="input code"
              rows={3}
              spellcheck={false}
              value={map.value}
              onInput={(event) => {
                map.value = event.currentTarget.value
              }}
            />
          )}
        </Field>
      </div>
    </FormDialog>
  )
}
