import { effect, signal } from '@preact/signals'
import { isPhone } from '../../parts/phone.ts'
import type { LogDisplay } from './shown-line.ts'

const key = 'logs.look'

/** How logs are displayed in this browser. */
export const logDisplay = signal<LogDisplay>({
  wrap: isPhone.peek(),
  times: !isPhone.peek(),
  json: true,
  ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<LogDisplay>),
})

effect(() => {
  const text = JSON.stringify(logDisplay.value)
  if (localStorage.getItem(key) !== text) localStorage.setItem(key, text)
})

/** Switches one option on or off. */
export const toggleDisplay = (name: keyof LogDisplay): void => {
  logDisplay.value = { ...logDisplay.value, [name]: !logDisplay.value[name] }
}
