import { batch, signal } from '@preact/signals'
import type { HostId } from '../host-ids.ts'

/** The form of a new stack. It stays while the reader visits other pages. */
export const draft = {
  name: signal(''),
  /** Empty: the machine of the service. */
  host: signal<HostId | ''>(''),
  compose: signal(''),
  env: signal(''),
}

/** Forgets what was written, after it has become a stack. */
export function forgetDraft(): void {
  batch(() => {
    for (const field of Object.values(draft)) field.value = ''
  })
}

/** Returns the name that a compose file gives its project, if it is plain text. */
export const nameIn = (compose: string): string | undefined =>
  /^name:[ \t]*["']?([a-z0-9][a-z0-9_-]*)["']?[ \t]*(?:#.*)?$/m.exec(compose)?.[1]

/** Returns a name for a stack from that of a directory or an image, as docker compose does. */
export const nameFrom = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '')

/** Returns whether this can be the name of a stack. */
export const isName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]*$/.test(name)
