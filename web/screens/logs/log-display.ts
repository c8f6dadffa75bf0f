import { effect, signal } from '@preact/signals'
import { kept, readJson } from '../../browser/storage.ts'
import { isPhone } from '../../parts/phone.ts'
import { logDisplayFrom } from './log-display-from.ts'
import type { LogDisplay } from './shown-line.ts'

const key = 'logs.look'

/** How logs are displayed in this browser. */
export const logDisplay = signal<LogDisplay>(
  logDisplayFrom(readJson(kept, key), {
    wrap: isPhone.peek(),
    times: !isPhone.peek(),
    json: true,
  }),
)

effect(() => {
  const text = JSON.stringify(logDisplay.value)
  if (kept.getItem(key) !== text) kept.setItem(key, text)
})

/** Switches one option on or off. */
export const toggleDisplay = (name: keyof LogDisplay): void => {
  logDisplay.value = { ...logDisplay.value, [name]: !logDisplay.value[name] }
}
