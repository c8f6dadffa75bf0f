import type { Signal } from '@preact/signals'
import { TextField } from '../../parts/field.tsx'

interface PasswordFieldProps {
  label: string
  value: Signal<string>
  isNew?: boolean
  help?: string
  error?: string | undefined
}

/** A password that the browser may fill in or keep. */
export function PasswordField({ label, value, isNew, help, error }: PasswordFieldProps) {
  return (
    <TextField
      label={label}
      type="password"
      value={value.value}
      onInput={(typed) => {
        value.value = typed
      }}
      autocomplete={isNew ? 'new-password' : 'current-password'}
      required
      help={help}
      error={error}
    />
  )
}
