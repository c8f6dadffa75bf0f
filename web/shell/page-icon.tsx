// Loaded after the first screen, whose file has no room for it. The ending of its name lets the
// build share that file's modules with it: packaging/build/web/one-first-file.mjs.

import { computed, effect, untracked } from '@preact/signals'
import { resource } from '../data/cache.ts'
import { connection } from '../data/events.ts'
import { can } from '../data/session.ts'
import { type IconState, iconStateOf } from './icon-state.ts'

const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')

/** Marks the icon of the page while something is wrong, for as long as the page is open. */
export function followTroubles(): void {
  loadMarked().catch((error) => console.error(error))
  const alerts = computed(() => (can('alerts:read') ? resource('/alerts') : undefined))
  effect(() => {
    const entry = alerts.value
    return untracked(() => entry?.retain())
  })
  effect(() => {
    const { state } = connection.value
    showIcon(iconStateOf({ connection: state, alerts: alerts.value?.value.value }))
  })
}

/**
 * The browser keeps the marked icon, because it cannot load it once the connection is lost. Not as
 * an image: while one loads, Firefox interrupts feeds that connect.
 */
async function loadMarked(): Promise<void> {
  const marked = link?.dataset.trouble
  if (marked) await fetch(marked)
}

function showIcon(state: IconState): void {
  const address = link?.dataset[state]
  if (link && address && link.getAttribute('href') !== address) link.href = address
}
