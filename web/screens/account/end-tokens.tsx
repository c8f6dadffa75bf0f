import type { Signal } from '@preact/signals'
import { Checkbox } from '../../parts/checkbox.tsx'
import { t } from '../../text/text.ts'

/** Whether the change of a credential also ends the API tokens that were made with it. */
export function EndTokens({ value }: { value: Signal<boolean> }) {
  return (
    <Checkbox
      label={t.account.endTokens}
      help={t.account.endTokensHelp}
      checked={value.value}
      onChange={(checked) => {
        value.value = checked
      }}
    />
  )
}

/** Whether the change of the password also deletes the passkeys, which sign in without it. */
export function EndPasskeys({ value }: { value: Signal<boolean> }) {
  return (
    <Checkbox
      label={t.account.endPasskeys}
      help={t.account.endPasskeysHelp}
      checked={value.value}
      onChange={(checked) => {
        value.value = checked
      }}
    />
  )
}
