import { effect, signal } from '@preact/signals'
import { isPhone } from '../../parts/phone.ts'
import type { LogLook } from './shown-line.ts'

const key = 'logs.look'

/** How the reader wants logs to look, in this browser. */
export const logLook = signal<LogLook>({
  wrap: isPhone.peek(),
  times: !isPhone.peek(),
  json: true,
  ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<LogLook>),
})

effect(() => {
  const text = JSON.stringify(logLook.value)
  if (localStorage.getItem(key) !== text) localStorage.setItem(key, text)
})

/** Changes one choice. */
export const turn = (name: keyof LogLook): void => {
  logLook.value = { ...logLook.value, [name]: !logLook.value[name] }
}
