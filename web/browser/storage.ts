/** What this browser keeps, for all tabs or for one. It never throws. */
export interface KeptStorage {
  getItem(key: string): string | null
  /** Returns false if the browser keeps it only until the page is left. */
  setItem(key: string, value: string): boolean
  removeItem(key: string): void
  keys(): string[]
}

/**
 * Returns storage that works in every browser. Some deny it (their settings block site data), or
 * have no room left: then the page itself remembers.
 *
 * @param open returns the storage of the browser. May throw, as browsers do
 */
export function makeStorage(open: () => Storage | null): KeptStorage {
  const remembered = new Map<string, string>()
  const attempt = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      const storage = open()
      return storage === null ? undefined : work(storage)
    } catch {
      return undefined
    }
  }
  return {
    getItem: (key) => remembered.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    setItem(key, value) {
      const isKept = attempt((storage) => {
        storage.setItem(key, value)
        return true
      })
      if (isKept) remembered.delete(key)
      else {
        // An older value must not come back instead of this one.
        attempt((storage) => storage.removeItem(key))
        remembered.set(key, value)
      }
      return isKept === true
    },
    removeItem(key) {
      remembered.delete(key)
      attempt((storage) => storage.removeItem(key))
    },
    keys: () => [...new Set([...remembered.keys(), ...(attempt(keysOf) ?? [])])],
  }
}

const keysOf = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')

/** What all tabs of this origin share, also later. */
export const kept: KeptStorage = makeStorage(() => localStorage)

/** What this tab alone keeps, also when it is reloaded. */
export const keptInTab: KeptStorage = makeStorage(() => sessionStorage)

/**
 * Returns the value that was stored as JSON, or undefined if there is none. One that is no JSON is
 * removed: a person, an extension or another version left it.
 */
export function readJson(storage: KeptStorage, key: string): unknown {
  const text = storage.getItem(key)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    storage.removeItem(key)
    return undefined
  }
}
