import './checkbox.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface CheckboxProps {
  label: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  help?: ComponentChildren
  /** Some, but not all, of the rows that it stands for are chosen. */
  isMixed?: boolean
  disabled?: boolean
  /** Shows no label, for the first cell of a row. The label is still read. */
  isBare?: boolean
}

/** A choice that takes effect with its form. */
export function Checkbox(props: CheckboxProps) {
  return <Toggle {...props} kind="checkbox" />
}

/** A choice that takes effect at once. */
export function Switch(props: Omit<CheckboxProps, 'isMixed' | 'isBare'>) {
  return <Toggle {...props} kind="switch" />
}

function Toggle(props: CheckboxProps & { kind: 'checkbox' | 'switch' }) {
  const { label, checked, onChange, help, isMixed = false, disabled, isBare, kind } = props
  const id = useId()
  return (
    <div class={`toggle ${kind}`}>
      <input
        id={id}
        type="checkbox"
        role={kind === 'switch' ? 'switch' : undefined}
        checked={checked}
        indeterminate={isMixed}
        disabled={disabled}
        aria-describedby={help ? `${id}-help` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id} class={isBare ? 'hidden-text' : undefined}>
        {label}
      </label>
      {help && (
        <div id={`${id}-help`} class="toggle-help">
          {help}
        </div>
      )}
    </div>
  )
}
