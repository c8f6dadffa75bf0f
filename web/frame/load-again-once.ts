// A browser on a Docker host drops requests whenever a container starts, and a page without its
// script stays empty. It is loaded again, once: a service that is gone would make it blink forever.

import { keptInTab } from '../browser/storage.ts'

const key = 'page.loaded-again'
/** Milliseconds before the page is loaded again. */
const pause = 700

const isNeeded = (target: EventTarget | null): boolean =>
  target instanceof HTMLScriptElement ||
  (target instanceof HTMLLinkElement && target.rel === 'stylesheet')

function onMissing({ target }: Event): void {
  if (!isNeeded(target)) return
  // A tab that forgets it would load the page again and again.
  if (keptInTab.getItem(key) === null && keptInTab.setItem(key, '1')) {
    setTimeout(() => location.reload(), pause)
    return
  }
  keptInTab.removeItem(key)
  const say = () => document.querySelector('#not-loaded')?.removeAttribute('hidden')
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', say)
  else say()
}

addEventListener('error', onMissing, { capture: true })
addEventListener('load', () => {
  // Every dropped request was reported before this event.
  if (document.querySelector('#app > *')) keptInTab.removeItem(key)
})
