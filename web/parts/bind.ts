import type { Signal } from '@preact/signals'

/** Returns the attributes of a field that reads and writes a signal. */
export const bind = <T>(to: Signal<T>) => ({
  value: to.value,
  onInput: (typed: T) => {
    to.value = typed
  },
})
