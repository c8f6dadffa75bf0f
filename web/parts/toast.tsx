import './toast.css'
import { signal } from '@preact/signals'
import { X } from 'lucide'
import { t } from '../text/text.ts'
import { Button, IconButton } from './button.tsx'
import { State, type StateName } from './state.tsx'

export interface Toast {
  id: number
  state: StateName
  /** How it ended: "Deployed shop in 4.2 s · 2 recreated, 4 unchanged". */
  text: string
  more: ToastMore
}

export interface ToastMore {
  href?: string | undefined
  /** What to do about it. */
  nextStep?: string | undefined
  /** Does it again, on a button. */
  retry?: (() => void) | undefined
}

const shown = signal<readonly Toast[]>([])
const lasts = 8000
let next = 1

/** Shows a line about how something ended. One that failed stays until it is dismissed. */
export function toast(state: StateName, text: string, more: ToastMore = {}): void {
  const id = next
  next += 1
  shown.value = [...shown.value.slice(-3), { id, state, text, more }]
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
      {shown.value.map((one) => (
        <ToastLine key={one.id} {...one} />
      ))}
    </section>
  )
}

function ToastLine({ id, state, text, more: { href, nextStep, retry } }: Toast) {
  const again = () => {
    dismissToast(id)
    retry?.()
  }
  return (
    <div class="toast">
      <State of={state} isShort />
      <div class="toast-text">
        <span>{href ? <a href={href}>{text}</a> : text}</span>
        {nextStep && <span class="toast-next">{nextStep}</span>}
      </div>
      {retry && <Button onClick={again}>{t.parts.retry}</Button>}
      <IconButton icon={X} label={t.frame.dismiss} onClick={() => dismissToast(id)} />
    </div>
  )
}
