import './field.css'
import './search-field.css'
import { Search } from 'lucide'
import { Icon } from './icon.tsx'

interface SearchFieldProps {
  /** What is filtered: "Filter stacks". */
  label: string
  value: string
  onInput: (value: string) => void
}

/** The filter of a list. The shortcut `/` focuses it, Escape clears it. */
export function SearchField({ label, value, onInput }: SearchFieldProps) {
  return (
    <div class="search-field">
      <Icon of={Search} />
      <input
        class="input"
        type="search"
        data-filter
        aria-label={label}
        placeholder={label}
        value={value}
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (value) onInput('')
          else event.currentTarget.blur()
        }}
      />
    </div>
  )
}
