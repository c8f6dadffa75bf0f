import type { Identities } from '../../../functions/core/ports/identities.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'

/** Milliseconds that an entry is valid, and the number of entries. */
export interface CacheLimits {
  age: number
  entries: number
}

type StorePorts = Needs<'accounts' | 'roles' | 'sessions' | 'apiTokens'>

interface Entry {
  startedAt: number
  answer: Promise<unknown>
  accountId?: string
}

/**
 * Caches identities for up to a second from the start of the read, and shares concurrent reads of
 * one credential. Returns the stores wrapped so that their writes invalidate the cache: a process
 * sees its own changes at once.
 */
export function cacheIdentities(
  inner: Identities,
  stores: StorePorts,
  limits: CacheLimits = { age: 1000, entries: 10_000 },
  now: () => number = () => performance.now(),
): StorePorts & { identities: Identities } {
  const entries = new Map<string, Entry>()

  const remembered = <T extends { account: { id: string } }>(
    key: string,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const known = entries.get(key)
    if (known && now() - known.startedAt < limits.age) return known.answer as Promise<T | undefined>
    const startedAt = now()
    const answer = read()
    const entry: Entry = { startedAt, answer }
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    entries.delete(key)
    entries.set(key, entry)
    // A missing identity may appear at any moment, and an error is no answer: neither is cached.
    answer.then((found) => {
      if (!found) return drop()
      entry.accountId = found.account.id
    }, drop)
    if (entries.size > limits.entries) entries.delete(entries.keys().next().value as string)
    return answer
  }

  const forgetKey = (key: string) => void entries.delete(key)
  /** A read in progress may be of this account, so it is dropped too. */
  const forgetAccount = (id: string) => {
    for (const [key, { accountId }] of entries) {
      if (accountId === undefined || accountId === id) entries.delete(key)
    }
  }
  const forgetTokens = () => {
    for (const key of entries.keys()) if (key.startsWith('token ')) entries.delete(key)
  }
  return {
    identities: {
      bySession: (id) => remembered(`session ${id}`, () => inner.bySession(id)),
      byApiToken: (hash) => remembered(`token ${hash}`, () => inner.byApiToken(hash)),
    },
    ...forgetting(stores, {
      forgetKey,
      forgetAccount,
      forgetTokens,
      forgetAll: () => entries.clear(),
    }),
  }
}

interface Forget {
  forgetKey(key: string): void
  forgetAccount(id: string): void
  forgetTokens(): void
  forgetAll(): void
}

/**
 * Returns the stores with invalidation after each write, even a failed one: it may have taken
 * effect.
 */
function forgetting(
  { accounts, roles, sessions, apiTokens }: StorePorts,
  forget: Forget,
): StorePorts {
  const after = async <T>(write: Promise<T>, done: () => void): Promise<T> => {
    try {
      return await write
    } finally {
      done()
    }
  }
  const account = (id: string) => () => forget.forgetAccount(id)
  const session = (id: string) => () => forget.forgetKey(`session ${id}`)
  return {
    accounts: {
      ...accounts,
      replace: (value) => after(accounts.replace(value), account(value.id)),
      remove: (id, revision) => after(accounts.remove(id, revision), account(id)),
    },
    // A change of a role affects every account that has it.
    roles: {
      ...roles,
      create: (value) => after(roles.create(value), forget.forgetAll),
      replace: (value) => after(roles.replace(value), forget.forgetAll),
      remove: (id, revision) => after(roles.remove(id, revision), forget.forgetAll),
    },
    sessions: {
      ...sessions,
      rotate: (id, ...rest) => after(sessions.rotate(id, ...rest), session(id)),
      remove: (id) => after(sessions.remove(id), session(id)),
      removeByAccount: (id, except) => after(sessions.removeByAccount(id, except), account(id)),
    },
    apiTokens: {
      ...apiTokens,
      remove: (id) => after(apiTokens.remove(id), forget.forgetTokens),
    },
  }
}
