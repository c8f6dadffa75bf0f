import { batch, computed, signal } from '@preact/signals'
import type { components } from './api.types.ts'
import { backoff } from './backoff.ts'
import {
  base,
  type Credentials,
  type Exchange,
  type Login,
  type PasskeyLogin,
  postExchange,
  postLogin,
  postLogout,
  postPasskey,
} from './browser-endpoints.ts'
import { timedFetch } from './clock.ts'
import { fetchMe, type Me } from './fetch-me.ts'
import { allows } from './permissions.ts'
import { asProblem, isTemporary, noResponse, problemOf, RequestError } from './problem.ts'
import { browserKey, lastUse, tokens } from './session-tokens.ts'

export type { Me }

type State = 'unknown' | 'setup' | 'signed-out' | 'signed-in'

const user = signal<Me | undefined>(undefined)
const state = signal<State>('unknown')
const isExpired = signal(false)
/** Why the state is not known yet: the service does not respond. */
const trouble = signal<string | undefined>(undefined)

/** Calls of requests that wait for the next login over the page. */
let waiting: (() => void)[] = []

export const session = {
  user: computed(() => user.value),
  state: computed(() => state.value),
  /** The session ended under an open page. The page stays, with a login over it. */
  isExpired: computed(() => isExpired.value),
  trouble: computed(() => trouble.value),
  start,
  logIn: async (credentials: Credentials) => signedIn(await postLogin(credentials)),
  logInWithPasskey: async (body: PasskeyLogin) => signedIn(await postPasskey(body)),
  exchange: async (body: Exchange) => signedIn(await postExchange(body)),
  logOut,
  /** Reads the account again, after a change of it. */
  reload: loadUser,
  token,
  /** Resolves once there is a session. If it has ended, the user logs in over the page. */
  verify,
}

/** Returns whether the user has a permission, on a host if one is given. */
export const can = (permission: string, host?: { tags: readonly string[] }): boolean =>
  allows(user.value, permission, host)

/** Returns whether the user is limited to no hosts, as what concerns all of them needs. */
export const hasEveryHost = (): boolean => user.value?.scope_tags.length === 0

tokens.listen(({ kind }) => {
  if (kind === 'ended') leave()
  if (kind === 'begun') void takeUp(start)
})

/** Continues the session of this browser, if there is one. Tries until the service responds. */
async function start(): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const key = browserKey.get()
    // The token of a login in another tab can arrive before the key that it stored.
    const isWithout = key === null && tokens.current() === undefined
    try {
      if (isWithout) state.value = (await isSetUp()) ? 'signed-out' : 'setup'
      else await loadUser()
      trouble.value = undefined
      return
    } catch (error) {
      const problem = asProblem(error)
      // Another tab may have logged in meanwhile.
      if (problem.status !== 401) trouble.value = problem.error
      else if (browserKey.get() === key) browserKey.remove()
      await pause(problem.status === 401 ? 0 : backoff(attempt))
    }
  }
}

/**
 * Returns an access token. When the session has ended it waits for a login over the page, so that
 * a request that was under way is sent after it.
 */
async function token(rejected?: string): Promise<string> {
  for (;;) {
    const known = tokens.current()
    if (known !== undefined && known !== rejected) return known
    const outcome = isExpired.peek() ? 'ended' : await tokens.renew(rejected)
    if (outcome === 'failed') throw new RequestError(noResponse())
    if (outcome === 'ended') await nextLogin()
  }
}

async function nextLogin(): Promise<void> {
  if (state.peek() !== 'signed-in') throw new RequestError({ status: 401, error: 'Signed out' })
  isExpired.value = true
  await new Promise<void>((resolve) => waiting.push(resolve))
}

async function verify(): Promise<void> {
  for (let attempt = 0; state.peek() === 'signed-in'; attempt += 1) {
    try {
      await loadUser()
      return
    } catch (error) {
      const problem = asProblem(error)
      if (problem.status === 401) await nextLogin()
      else if (isTemporary(problem)) await pause(backoff(attempt))
      else return
    }
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

async function signedIn({ access_token, expires_in, browser_key }: Login): Promise<void> {
  browserKey.set(browser_key)
  lastUse.note()
  tokens.begin(access_token, expires_in)
  await takeUp(loadUser)
}

/** Starts a new session. Reloads the page for another user, so that no old data stays. */
async function takeUp(load: () => Promise<void>): Promise<void> {
  const before = user.peek()?.id
  await load()
  if (before !== undefined && before !== user.peek()?.id) {
    location.reload()
    return
  }
  isExpired.value = false
  for (const go of waiting.splice(0)) go()
}

async function loadUser(): Promise<void> {
  const me = await fetchMe()
  batch(() => {
    user.value = me
    state.value = 'signed-in'
  })
}

async function isSetUp(): Promise<boolean> {
  const response = await timedFetch(`${base}/setup`)
  const body = (await response.json()) as components['schemas']['SetupState']
  if (!response.ok) throw new RequestError(problemOf(response, body))
  return body.is_done
}

/** Ends the session in all tabs. Without its key it is of no use, so the page never waits long. */
async function logOut(): Promise<void> {
  const key = browserKey.get()
  browserKey.remove()
  tokens.end()
  try {
    if (key !== null) await postLogout(key)
  } catch {
    // The service does not respond: the session ends by its idle timeout.
  }
  leave()
}

/** Clears the data of the user from the memory of the tab. */
function leave(): void {
  const wasSignedIn = state.peek() === 'signed-in'
  waiting = []
  batch(() => {
    user.value = undefined
    state.value = 'signed-out'
    isExpired.value = false
  })
  // The address stays: the next login leads back to it.
  if (wasSignedIn) location.reload()
}
