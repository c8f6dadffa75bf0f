import { type KeptStorage, readJson } from './storage.ts'

/** A change of a file that is not saved. */
export interface Draft {
  /** The text that it began with. */
  base: string
  /** The revision that had that text. */
  revision: number
  text: string
}

export interface Drafts {
  read(): Map<string, Draft>
  /** Keeps a draft. Returns false if it is lost with the page: the browser has no room for it. */
  keep(path: string, draft: Draft): boolean
  drop(path: string): void
}

/**
 * Returns the drafts of a user and a stack, which survive a reload of the page. Never give it the
 * text of a secret file.
 */
export function draftsIn(storage: KeptStorage, user: string, stack: string): Drafts {
  const prefix = `draft:${user}:${stack}:`
  return {
    read() {
      const drafts = new Map<string, Draft>()
      for (const key of storage.keys().filter((one) => one.startsWith(prefix))) {
        const draft = draftFrom(readJson(storage, key))
        if (draft) drafts.set(key.slice(prefix.length), draft)
        else storage.removeItem(key)
      }
      return drafts
    },
    keep: (path, draft) => storage.setItem(prefix + path, JSON.stringify(draft)),
    drop: (path) => storage.removeItem(prefix + path),
  }
}

function draftFrom(stored: unknown): Draft | undefined {
  const { base, revision, text } = (stored ?? {}) as Draft
  const isDraft = typeof base === 'string' && typeof text === 'string' && Number.isInteger(revision)
  return isDraft ? { base, revision, text } : undefined
}
