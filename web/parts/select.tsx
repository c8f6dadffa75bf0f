import './field.css'
import './select.css'
import { ChevronDown } from 'lucide'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'

interface SelectProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  help?: string
  error?: string
  /** Shows no label, for a filter beside others. The label is still read. */
  isBare?: boolean
}

/** A choice of one among a few, by the control of the system. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, isBare } = props
  const control = (attributes: object) => (
    <span class="select">
      <select
        {...attributes}
        class="input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} />
    </span>
  )
  if (isBare) return control({ 'aria-label': label })
  return (
    <Field label={label} help={props.help} error={props.error}>
      {control}
    </Field>
  )
}
