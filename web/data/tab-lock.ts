/** What is shared by all tabs of an origin. */
export interface SharedStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): unknown
  removeItem(key: string): void
}

/** The part of Web Locks that runs work in one tab at a time. */
interface WebLocks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

export interface TabLockOptions {
  storage: SharedStorage
  /** Web Locks, which pages of plain http names do not have. */
  locks?: WebLocks | undefined
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** An id of this tab. */
  tab: string
}

/** Runs work in one tab of the browser at a time. */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** A tab that holds a lock for longer is taken to be closed or suspended. */
const leaseTime = 10_000
/** Storage reaches other tabs within this time: two tabs that wrote at once see one winner. */
const settleTime = 40

/**
 * Returns a lock across tabs: Web Locks, or a lease in the storage where a browser has none. The
 * lease is best effort: after 10 s a tab that was suspended meanwhile may run beside another one,
 * so the work must be harmless twice.
 */
export function tabLock({ locks, ...options }: TabLockOptions): TabLock {
  return async (name, work) => {
    let hasBegun = false
    try {
      if (locks)
        return await locks.request(name, () => {
          hasBegun = true
          return work()
        })
    } catch (error) {
      // A browser that denies storage denies locks, too.
      if (hasBegun || !isDenied(error)) throw error
    }
    return withLease(`lock.${name}`, work, options)
  }
}

const isDenied = (error: unknown) => error instanceof DOMException && error.name === 'SecurityError'

async function withLease<T>(
  key: string,
  work: () => Promise<T>,
  { storage, now, sleep, tab }: Omit<TabLockOptions, 'locks'>,
): Promise<T> {
  const holder = () => {
    const [owner = '', until = '0'] = storage.getItem(key)?.split(' ') ?? []
    // A clock that was set back must not keep the lock for hours.
    const left = Number(until) - now()
    return left > 0 && left <= leaseTime ? owner : undefined
  }
  for (;;) {
    if (holder() === undefined) {
      storage.setItem(key, `${tab} ${now() + leaseTime}`)
      await sleep(settleTime)
      if (holder() === tab) break
    } else {
      await sleep(settleTime)
    }
  }
  try {
    return await work()
  } finally {
    if (holder() === tab) storage.removeItem(key)
  }
}
