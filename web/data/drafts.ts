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
  /** Keeps a draft. Returns false if the browser has no room for it. */
  keep(path: string, draft: Draft): boolean
  drop(path: string): void
}

/**
 * Returns the drafts of a user and a stack, which survive a reload of the page. Never give it the
 * text of a secret file.
 */
export function draftsIn(storage: Storage, user: string, stack: string): Drafts {
  const prefix = `draft:${user}:${stack}:`
  return {
    read() {
      const drafts = new Map<string, Draft>()
      for (const key of keysOf(storage).filter((one) => one.startsWith(prefix))) {
        const draft = parseDraft(storage.getItem(key))
        if (draft) drafts.set(key.slice(prefix.length), draft)
        else storage.removeItem(key)
      }
      return drafts
    },
    keep(path, draft) {
      try {
        storage.setItem(prefix + path, JSON.stringify(draft))
        return true
      } catch {
        // An older text must not come back instead of this one.
        storage.removeItem(prefix + path)
        return false
      }
    },
    drop: (path) => storage.removeItem(prefix + path),
  }
}

const keysOf = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')

function parseDraft(json: string | null): Draft | undefined {
  try {
    const { base, revision, text } = JSON.parse(json ?? '') as Draft
    const isDraft =
      typeof base === 'string' && typeof text === 'string' && Number.isInteger(revision)
    return isDraft ? { base, revision, text } : undefined
  } catch {
    return undefined
  }
}
