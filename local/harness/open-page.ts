import type { MemoryPorts } from '../../adapters/testing/memory/stores.ts'
import me from '../../functions/me/get.ts'
import { watchLastUse } from '../../web/data/last-use.ts'
import { makeTokens, type Refreshed } from '../../web/data/tokens.ts'
import { cookieOf, signedInPage } from './browser-session.ts'
import { call } from './call.ts'

/** Milliseconds between two requests of an open page. */
const pollEvery = 10_000

/**
 * Returns an open page of a browser in which Anna logged in, with the tokens of the real page and
 * the clock of the ports. It polls while time passes.
 */
export async function openPage(ports: MemoryPorts, login: { remember_me?: boolean } = {}) {
  const { clock } = ports
  const page = await signedInPage(ports, login)
  const browser = fakeBrowser(ports)
  let { cookie } = page

  async function refresh(): Promise<Refreshed> {
    const { status, json, headers } = await page.refresh({ cookie, idle: lastUse.idleSeconds() })
    if (status !== 200) return { outcome: 'ended' }
    cookie = cookieOf(headers)
    return { outcome: 'token', value: json.access_token, expiresIn: json.expires_in }
  }
  const { storage, now } = browser
  const tokens = makeTokens({
    storage,
    now,
    refresh,
    ownStorage: storage,
    tabs: { send() {}, listen() {} },
    lock: (_name, work) => work(),
    sleep: async () => {},
  })
  const lastUse = watchLastUse({ ...browser, tokens })

  /** Sends one request. Returns whether the page is still signed in. */
  async function poll(): Promise<boolean> {
    if (tokens.current() === undefined && (await tokens.renew()) !== 'token') return false
    const token = tokens.current() ?? ''
    if ((await call(me, { ports, as: { token } })).status === 200) return true
    return (await tokens.renew(token)) === 'token' && poll()
  }
  lastUse.note()
  tokens.begin(page.answer.json.access_token, page.answer.json.expires_in)
  return {
    /** Does what a person does: `keydown`, `wheel` and the like. */
    happen: browser.happen,
    /**
     * Lets time pass. Returns after how many milliseconds the page was signed out, or undefined if
     * it is signed in at the end.
     *
     * @param each is called before each request with the milliseconds so far
     */
    async pass(milliseconds: number, each: (passed: number) => void = () => {}, every = pollEvery) {
      for (let passed = every; passed <= milliseconds; passed += every) {
        clock.advance(every)
        await browser.wake()
        each(passed)
        if (!(await poll())) return passed
      }
      return undefined
    },
  }
}

type Listener = (event: { isTrusted: boolean }) => void

/** Returns the storage, the events and the timers of a page. */
function fakeBrowser({ clock }: MemoryPorts) {
  const values = new Map<string, string>()
  const listeners = new Map<string, Listener>()
  let waiting: { at: number; work: () => unknown }[] = []
  return {
    now: clock.now,
    storage: {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    },
    page: {
      addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
    },
    later: (work: () => unknown, milliseconds: number) =>
      void waiting.push({ at: clock.now() + milliseconds, work }),
    happen: (type: string) => listeners.get(type)?.({ isTrusted: true }),
    /** Runs the timers that are due. */
    async wake() {
      const due = waiting.filter(({ at }) => at <= clock.now())
      waiting = waiting.filter((one) => !due.includes(one))
      for (const { work } of due) await work()
    },
  }
}
