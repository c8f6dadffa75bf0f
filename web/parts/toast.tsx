import './toast.css'
import { signal } from '@preact/signals'
import { X } from 'lucide'
import { t } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { State, type StateName } from './state.tsx'

export interface Toast {
  id: number
  state: StateName
  /** How it ended: "Deployed shop in 4.2 s · 2 recreated, 4 unchanged". */
  text: string
  href?: string | undefined
}

const shown = signal<readonly Toast[]>([])
const lasts = 8000
let next = 1

/**
 * Shows a line about how something ended. One that failed stays until it is dismissed. Returns its
 * id, with which `replaceToast` changes it.
 */
export function toast(state: StateName, text: string, href?: string): number {
  const id = next
  next += 1
  shown.value = [...shown.value.slice(-3), { id, state, text, href }]
  expire(id, state)
  return id
}

/** Changes a line, for example from what is done to how it ended. */
export function replaceToast(id: number, state: StateName, text: string, href?: string): void {
  if (!shown.value.some((one) => one.id === id)) return void toast(state, text, href)
  shown.value = shown.value.map((one) => (one.id === id ? { id, state, text, href } : one))
  expire(id, state)
}

export function dismissToast(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id)
}

function expire(id: number, state: StateName): void {
  if (state === 'failed' || state === 'working') return
  setTimeout(() => dismissToast(id), lasts)
}

/** The lines, in a corner of the page. They are read out politely. */
export function Toasts() {
  return (
    <section class="toasts" aria-label={t.frame.notifications} aria-live="polite">
      {shown.value.map(({ id, state, text, href }) => (
        <div class="toast" key={id}>
          <State of={state} isShort />
          <span>{href ? <a href={href}>{text}</a> : text}</span>
          <IconButton icon={X} label={t.frame.dismiss} onClick={() => dismissToast(id)} />
        </div>
      ))}
    </section>
  )
}
