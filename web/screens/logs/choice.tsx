import './choice.css'
import { ChevronDown } from 'lucide'
import { useId, useRef } from 'preact/hooks'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Icon } from '../../parts/icon.tsx'
import { placeBelow } from '../../parts/menu-position.ts'

interface ChoiceProps {
  /** What is chosen: "Services". */
  label: string
  /** What the button says: "All services". */
  summary: string
  options: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** More cannot be chosen. */
  most?: number
}

/** A button with a list to choose any number from. None chosen means all. */
export function Choice({ label, summary, options, chosen, onChange, most = 100 }: ChoiceProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLFieldSetElement>(null)
  const toggle = (option: string) =>
    onChange(
      options.filter((one) => (one === option ? !chosen.includes(one) : chosen.includes(one))),
    )
  return (
    <span class="choice">
      <button ref={button} type="button" class="button plain" popovertarget={id} title={label}>
        <span class="choice-words">{summary}</span>
        <Icon of={ChevronDown} />
      </button>
      <fieldset
        ref={list}
        id={id}
        class="choice-list"
        popover="auto"
        aria-label={label}
        onToggle={(event) => {
          placeBelow(button.current, list.current, event)
          if (event.newState === 'open') list.current?.querySelector('input')?.focus()
        }}
      >
        {options.map((option) => (
          <Checkbox
            key={option}
            label={option}
            checked={chosen.includes(option)}
            disabled={chosen.length >= most && !chosen.includes(option)}
            onChange={() => toggle(option)}
          />
        ))}
      </fieldset>
    </span>
  )
}
