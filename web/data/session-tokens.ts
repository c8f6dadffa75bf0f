import { kept, keptInTab } from '../browser/storage.ts'
import { postRefresh } from './browser-endpoints.ts'
import { browserTime } from './clock.ts'
import { type LastUse, watchLastUse } from './last-use.ts'
import { tabLock } from './tab-lock.ts'
import { makeTokens, type TabMessage, type Tokens } from './tokens.ts'

const keyName = 'session.key'

/** The half of the session that only pages of this origin, with its port, can read. */
export const browserKey = {
  get(): string | null {
    const key = kept.getItem(keyName)
    // One with other characters cannot be sent, and was not stored by a page.
    return key !== null && /^[\x21-\x7e]+$/.test(key) ? key : null
  },
  set: (key: string) => void kept.setItem(keyName, key),
  remove: () => kept.removeItem(keyName),
}

const channel = new BroadcastChannel('session')
const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
const tab = Array.from(crypto.getRandomValues(new Uint32Array(2)), String).join('-')

/** The access token of this tab. */
export const tokens: Tokens = makeTokens({
  storage: kept,
  ownStorage: keptInTab,
  tabs: {
    send: (message) => channel.postMessage(message),
    listen: (listener) =>
      channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
  },
  lock: tabLock({ storage: kept, locks: navigator.locks, now: browserTime, sleep, tab }),
  now: browserTime,
  sleep,
  refresh: () => postRefresh(browserKey.get(), lastUse.idleSeconds()),
})

/** When a person last used a page of this browser. */
export const lastUse: LastUse = watchLastUse({
  storage: kept,
  page: window,
  now: browserTime,
  later: (work, milliseconds) => void setTimeout(work, milliseconds),
  tokens,
})
