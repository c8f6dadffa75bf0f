import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { asProblem, type Problem } from './problem.ts'

/** What a path of the API returned last. */
export interface Resource<T> {
  value: ReadonlySignal<T | undefined>
  problem: ReadonlySignal<Problem | undefined>
  /** The value may be older than what the service has: it is being loaded, or could not be. */
  stale: ReadonlySignal<boolean>
  /** Loads it again, also if that was done a moment ago. */
  reload(): Promise<void>
}

export interface Entry<T = unknown> extends Resource<T> {
  path: string
  address: string
  params: Readonly<Record<string, unknown>>
  /** Changes the value before the service does, for an event that says what changed. */
  patch(change: (value: T) => T): void
  /** Loads it soon, at most once a second, if it has readers. Otherwise when it gets one. */
  refresh(): void
  /**
   * Loads one part of it, or all of it if more than a few parts change in a second, if it is being
   * loaded anyway, or if the part cannot be loaded or put into it.
   */
  refreshPart(key: string, load: () => Promise<(value: unknown) => unknown>): void
  /** Keeps it current until the returned function is called. */
  retain(): () => void
}

export interface CacheOptions {
  load: (path: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>
  now: () => number
  setTimer: (work: () => void, milliseconds: number) => unknown
  clearTimer: (timer: unknown) => void
}

/** Milliseconds between two reloads for events. */
const pace = 1000
/** Parts that are loaded within that time. */
const partsMax = 3
/** An entry without readers is dropped after this time. */
const idleTime = 5 * 60_000

export type Cache = ReturnType<typeof makeCache>

/** Returns a cache with one entry for each address. */
export function makeCache(options: CacheOptions) {
  const entries = new Map<string, Entry>()
  const drop = (address: string) => entries.delete(address)
  return {
    entry(path: string, address: string, params: Readonly<Record<string, unknown>>): Entry {
      const known = entries.get(address)
      if (known) return known
      const made = makeEntry({ path, address, params }, options, drop)
      entries.set(address, made)
      return made
    },
    entries: (): Iterable<Entry> => entries.values(),
  }
}

function makeEntry(
  about: Pick<Entry, 'path' | 'address' | 'params'>,
  { load, now, setTimer, clearTimer }: CacheOptions,
  drop: (address: string) => void,
): Entry {
  const value = signal<unknown>(undefined)
  const problem = signal<Problem | undefined>(undefined)
  const stale = signal(true)
  let readers = 0
  let loadedAt = Number.NEGATIVE_INFINITY
  let isWanted = true
  let loading: Promise<void> | undefined
  let isOutdated = false
  let timer: unknown
  let idle: unknown
  /** When parts were loaded last, and the loads of parts that are under way. */
  let partTimes: readonly number[] = []
  const parts = new Map<string, object>()

  async function fetchOnce(): Promise<void> {
    do {
      isOutdated = false
      isWanted = false
      stale.value = true
      loadedAt = now()
      parts.clear()
      try {
        const loaded = await load(about.path, about.params)
        batch(() => {
          value.value = loaded
          problem.value = undefined
          // What changed while it was loaded may be missing from it.
          stale.value = isOutdated
        })
      } catch (error) {
        // The next reader tries again.
        isWanted = true
        problem.value = asProblem(error)
      }
    } while (isOutdated)
  }

  function reload(): Promise<void> {
    if (loading) {
      isOutdated = true
      return loading
    }
    loading = fetchOnce().finally(() => {
      loading = undefined
    })
    return loading
  }

  function refresh(): void {
    isWanted = true
    stale.value = true
    if (readers === 0 || timer !== undefined) return
    const due = Math.max(0, loadedAt + pace - now())
    timer = setTimer(() => {
      timer = undefined
      if (isWanted && readers > 0) void reload()
    }, due)
  }

  function refreshPart(key: string, loadPart: () => Promise<(value: unknown) => unknown>): void {
    partTimes = partTimes.filter((time) => time > now() - pace)
    const isBurst = partTimes.length >= partsMax
    if (isBurst || isWanted || loading || readers === 0) refresh()
    else void takePart(key, loadPart)
  }

  async function takePart(key: string, loadPart: () => Promise<(value: unknown) => unknown>) {
    partTimes = [...partTimes, now()]
    const own = {}
    parts.set(key, own)
    try {
      const change = await loadPart()
      // A later load of the part, or of the whole, has what this one has.
      if (parts.get(key) === own) value.value = change(value.peek())
    } catch {
      refresh()
    } finally {
      if (parts.get(key) === own) parts.delete(key)
    }
  }

  return {
    ...about,
    value,
    problem,
    stale,
    reload,
    refresh,
    refreshPart,
    patch(change) {
      const known = value.peek()
      if (known !== undefined) value.value = change(known)
    },
    retain() {
      readers += 1
      clearTimer(idle)
      if (isWanted && !loading) void reload()
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        readers -= 1
        if (readers > 0) return
        idle = setTimer(() => {
          if (readers === 0) drop(about.address)
        }, idleTime)
      }
    },
  }
}
