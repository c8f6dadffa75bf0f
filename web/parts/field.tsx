import './field.css'
import type { ComponentChildren, Ref } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../text/text.ts'

interface FieldProps {
  label: string
  /** One sentence below the field. */
  help?: ComponentChildren
  /** What is wrong with the value, and what would be right. */
  error?: string | undefined
  isOptional?: boolean
  /** Returns the control with these attributes. */
  children: (control: ControlAttributes) => ComponentChildren
}

export interface ControlAttributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A control with its label, help and error. */
export function Field({ label, help, error, isOptional, children }: FieldProps) {
  const id = useId()
  const more = error || help ? `${id}-more` : undefined
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="optional"> {t.parts.optional}</span>}
      </label>
      {children({ id, 'aria-describedby': more, 'aria-invalid': error ? true : undefined })}
      {more && (
        <div id={more} class={error ? 'field-error' : 'field-help'}>
          {error ?? help}
        </div>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onInput: (value: string) => void
  type?: 'text' | 'password' | 'search' | 'email' | 'url' | 'number'
  placeholder?: string
  autocomplete?: string
  inputMode?: 'numeric' | 'text'
  required?: boolean
  /** The help says why. */
  readOnly?: boolean
  /** For names, ids and secrets. */
  isCode?: boolean
  inputRef?: Ref<HTMLInputElement>
}

/** A field of one line. */
export function TextField({ value, onInput, isCode, inputRef, ...rest }: TextFieldProps) {
  const { label, help, error, isOptional, type = 'text', ...input } = rest
  return (
    <Field label={label} help={help} error={error} isOptional={isOptional ?? false}>
      {(control) => (
        <input
          {...control}
          {...input}
          ref={inputRef}
          class={isCode ? 'input code' : 'input'}
          type={type as 'text'}
          step={type === 'number' ? 'any' : undefined}
          value={value}
          spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
