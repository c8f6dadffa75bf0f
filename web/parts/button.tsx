import './button.css'
import type { IconNode } from 'lucide'
import type { ComponentChildren, Ref } from 'preact'
import { Icon } from './icon.tsx'

export interface ButtonProps {
  /** The verb and its object: "Deploy shop". */
  children: ComponentChildren
  /** What is seen instead where there is little room. The label is read in any case. */
  short?: string
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  icon?: IconNode
  /** What is done right now, instead of the label: "Deploying shop". Clicks wait meanwhile. */
  busy?: string | false
  /** Why it cannot be pressed now. Shown on hover and read with the button. */
  blocked?: string | undefined
  type?: 'button' | 'submit'
  onClick?: (event: MouseEvent) => void
  buttonRef?: Ref<HTMLButtonElement>
  /** The form that a submit button outside of it belongs to. */
  form?: string
}

/** A button that says what it does, and shows its own progress. It keeps the focus while busy. */
export function Button(props: ButtonProps) {
  const { children, kind = 'plain', icon, busy, blocked, type = 'button', form } = props
  const waits = Boolean(busy) || blocked !== undefined
  return (
    <button
      ref={props.buttonRef}
      class={`button ${kind}`}
      type={type}
      form={form}
      title={blocked}
      aria-disabled={waits || undefined}
      aria-busy={busy ? true : undefined}
      onClick={(event) => {
        if (waits) event.preventDefault()
        else props.onClick?.(event)
      }}
    >
      {busy ? <span class="turning" aria-hidden="true" /> : icon && <Icon of={icon} />}
      <span>{busy || (props.short === undefined ? children : <Both {...props} />)}</span>
    </button>
  )
}

const Both = ({ children, short }: Pick<ButtonProps, 'children' | 'short'>) => (
  <>
    <span class="button-long">{children}</span>
    <span class="button-short" aria-hidden="true">
      {short}
    </span>
  </>
)

interface IconButtonProps {
  icon: IconNode
  /** The verb and its object. It is the accessible name and the tooltip. */
  label: string
  onClick?: (event: MouseEvent) => void
  buttonRef?: Ref<HTMLButtonElement>
  pressed?: boolean
}

/** A small button without words, for what a row or a panel always has. */
export function IconButton({ icon, label, onClick, buttonRef, pressed }: IconButtonProps) {
  return (
    <button
      ref={buttonRef}
      class="button quiet bare"
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon of={icon} />
    </button>
  )
}
