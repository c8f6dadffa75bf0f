import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'

/** Asks for the code of the second factor. It takes the focus, because it is what is missing. */
export function CodeField({ code, error }: { code: Signal<string>; error: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <TextField
      label={t.login.code}
      help={t.login.codeHelp}
      value={code.value}
      onInput={(value) => {
        code.value = value
      }}
      autocomplete="one-time-code"
      isCode
      inputRef={input}
      error={error}
    />
  )
}
