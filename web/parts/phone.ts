import { signal } from '@preact/signals'

const query = matchMedia('(max-width: 719px)')

/** Whether the window is as narrow as a phone, for what style sheets cannot do. */
export const isPhone = signal(query.matches)

query.addEventListener('change', () => {
  isPhone.value = query.matches
})
