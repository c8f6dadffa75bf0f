import type { SharedStorage, TabLock } from './tab-lock.ts'

/** An access token, and when the last tab got it. */
export interface Token {
  value: string
  /** Milliseconds since the epoch, by the clock of the browser. */
  at: number
  expiresAt: number
}

/** How a refresh ended: a token, no session any more, or no response. */
export type Refreshed =
  | { outcome: 'token'; value: string; expiresIn: number }
  | { outcome: 'ended' }
  | { outcome: 'failed'; error: unknown }

/**
 * What tabs tell each other. `ask`: a tab that has just been opened or reloaded may have missed the
 * token. `begun`: a tab signed in. `ended`: the session is over.
 */
export type TabMessage =
  | { kind: 'ask' }
  | { kind: 'token'; token: Token }
  | { kind: 'begun'; token: Token }
  | { kind: 'ended' }

/** The messages between the tabs of an origin: a BroadcastChannel. */
export interface Tabs {
  send(message: TabMessage): void
  listen(listener: (message: TabMessage) => void): void
}

export interface TokenOptions {
  storage: SharedStorage
  /** What this tab alone keeps, also when it is reloaded. */
  ownStorage: Pick<SharedStorage, 'getItem' | 'setItem'>
  tabs: Tabs
  lock: TabLock
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** Sends the refresh. Never throws. */
  refresh: () => Promise<Refreshed>
}

/** When another tab refreshed so recently, its message is on its way. */
const justNow = 5000
const messageTime = 500
/** A token is replaced this long before it expires, or after half of its time. */
const early = 60_000
const stampKey = 'session.refreshed'

export type Tokens = ReturnType<typeof makeTokens>

/**
 * Keeps the access token of this tab, in memory only. However many requests and tabs need a new
 * one, there is one refresh: tabs take turns, and pass the token on.
 */
export function makeTokens(options: TokenOptions) {
  const { storage, ownStorage, tabs, lock, now, sleep, refresh } = options
  let token: Token | undefined
  let pending: Promise<Refreshed['outcome']> | undefined
  const listeners = new Set<(message: TabMessage) => void>()
  tabs.listen((message) => {
    if (message.kind === 'ask') {
      if (token && isGood(token)) tabs.send({ kind: 'token', token })
      return
    }
    token = message.kind === 'ended' ? undefined : newest(token, message.token)
    for (const listener of listeners) listener(message)
  })

  const goodFor = ({ at, expiresAt }: Token) =>
    expiresAt - now() - Math.min(early, (expiresAt - at) / 2)
  const isGood = (one: Token | undefined, rejected?: string) =>
    one !== undefined && goodFor(one) > 0 && one.value !== rejected

  /** Asks for the token if another tab refreshed a moment ago, and waits for it. */
  async function passedOn(rejected?: string) {
    const stamp = storage.getItem(stampKey)
    const age = now() - Number(stamp ?? 0)
    // A page that is reloaded has lost its own token, and has no one to ask for it.
    const isOwn = stamp === ownStorage.getItem(stampKey)
    if (isOwn || age < 0 || age > justNow) return false
    tabs.send({ kind: 'ask' })
    for (let waited = 0; waited < messageTime; waited += 20) {
      if (isGood(token, rejected)) return true
      await sleep(20)
    }
    return false
  }

  async function renewAlone(rejected?: string): Promise<Refreshed['outcome']> {
    if (isGood(token, rejected) || (await passedOn(rejected))) return 'token'
    const before = token
    const result = await refresh()
    if (result.outcome === 'token') accept(result.value, result.expiresIn, 'token')
    else if (result.outcome === 'ended') {
      // A login in another tab may have come in between.
      if (token !== before && isGood(token, rejected)) return 'token'
      token = undefined
    }
    return result.outcome
  }

  function accept(value: string, expiresIn: number, kind: 'token' | 'begun'): void {
    token = { value, at: now(), expiresAt: now() + expiresIn * 1000 }
    storage.setItem(stampKey, String(token.at))
    ownStorage.setItem(stampKey, String(token.at))
    tabs.send({ kind, token })
  }

  return {
    /** Returns the token if it is valid for a while longer. */
    current: () => (isGood(token) ? token?.value : undefined),
    /** Returns the milliseconds until the token is to be replaced, or undefined without one. */
    goodFor: () => token && goodFor(token),
    /** Gets a token that differs from the given one: by a refresh, or from another tab. */
    renew(rejected?: string): Promise<Refreshed['outcome']> {
      if (isGood(token, rejected)) return Promise.resolve('token')
      pending ??= lock('session', () => renewAlone(rejected)).finally(() => {
        pending = undefined
      })
      return pending
    },
    /** Keeps the token of a login and tells the other tabs. */
    begin: (value: string, expiresIn: number) => accept(value, expiresIn, 'begun'),
    /** Forgets the token and tells the other tabs. */
    end() {
      token = undefined
      tabs.send({ kind: 'ended' })
    },
    /** Calls the listener for each message of another tab, after it took effect. */
    listen: (listener: (message: TabMessage) => void) => void listeners.add(listener),
  }
}

const newest = (one: Token | undefined, other: Token) => (one && one.at > other.at ? one : other)
