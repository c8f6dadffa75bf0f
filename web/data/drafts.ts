import { type KeptStorage, readJson } from '../browser/storage.ts'

/** A change of a file that is not saved. */
export interface Draft {
  /** The text that it began with. */
  base: string
  /** The revision that had that text. */
  revision: number
  text: string
  /** When the stack was created, because another one can get its name. */
  created?: string | undefined
}

export interface Drafts {
  read(): Map<string, Draft>
  keep(path: string, draft: Draft): void
  drop(path: string): void
  /**
   * Returns whether a draft of this tab survives the end of the tab. Without room in the browser it
   * does not, nor if another tab kept a later one of the same file.
   */
  survives(path: string): boolean
  /** Returns the path of the draft that is stored below a key, if it is one of these. */
  pathOf(key: string | null): string | undefined
}

export interface DraftStorage {
  /** What all tabs of the origin share. */
  shared: KeptStorage
  /** What this tab alone keeps. */
  own: KeptStorage
}

/**
 * Returns the drafts of a user and a stack, which survive a reload of the page. Each tab has its
 * own. One that was not open before begins with those that were written last. Never give it the
 * text of a secret file.
 */
export function draftsIn({ shared, own }: DraftStorage, user: string, stack: string): Drafts {
  const prefix = `draft:${user}:${stack}:`
  /** What this tab read or stored where all tabs do, by path. */
  const known = new Map<string, string>()
  const isShared = (path: string) => {
    const text = known.get(path)
    return text !== undefined && text === shared.getItem(prefix + path)
  }

  function share(path: string, text: string): void {
    if (shared.setItem(prefix + path, text)) known.set(path, text)
    else known.delete(path)
  }

  return {
    read() {
      const all = readAll(shared, prefix)
      for (const path of all.keys()) known.set(path, shared.getItem(prefix + path) ?? '')
      for (const [path, draft] of readAll(own, prefix)) {
        const text = JSON.stringify(draft)
        if (!all.has(path)) share(path, text)
        else if (known.get(path) !== text) known.delete(path)
        all.set(path, draft)
      }
      return all
    },
    keep(path, { base, revision, text, created }) {
      const stored = JSON.stringify({ base, revision, text, created })
      own.setItem(prefix + path, stored)
      share(path, stored)
    },
    drop(path) {
      own.removeItem(prefix + path)
      if (isShared(path)) shared.removeItem(prefix + path)
      known.delete(path)
    },
    survives: isShared,
    pathOf: (key) => (key?.startsWith(prefix) ? key.slice(prefix.length) : undefined),
  }
}

/** Returns the drafts of a storage by path. Removes entries that are none. */
function readAll(storage: KeptStorage, prefix: string): Map<string, Draft> {
  const drafts = new Map<string, Draft>()
  for (const key of storage.keys().filter((one) => one.startsWith(prefix))) {
    const draft = draftFrom(readJson(storage, key))
    if (draft) drafts.set(key.slice(prefix.length), draft)
    else storage.removeItem(key)
  }
  return drafts
}

function draftFrom(stored: unknown): Draft | undefined {
  const { base, revision, text, created } = (stored ?? {}) as Draft
  const isDraft = typeof base === 'string' && typeof text === 'string' && Number.isInteger(revision)
  return isDraft ? { base, revision, text, created } : undefined
}
