import type { MemoryPorts } from '../../adapters/testing/memory/stores.ts'
import login from '../../functions/auth/browser/login.ts'
import logout from '../../functions/auth/browser/logout.ts'
import refresh from '../../functions/auth/browser/refresh.ts'
import { call } from './call.ts'
import { accountOf } from './sign-in.ts'

export const password = 'correct horse battery'

/** The headers that a script of a page sends with each request to these endpoints. */
export const pageHeaders = (origin = 'http://nas:8080') => ({
  origin,
  'content-type': 'application/json',
  'x-requested-with': 'container-stacks',
})

/** Returns the cookie of a response as the request header sends it back. */
export const cookieOf = (headers: Record<string, string>) =>
  headers['set-cookie']?.split(';')[0] ?? ''

/** Returns a page of a browser in which Anna logged in: its cookie, its key, and its calls. */
export async function signedInPage(
  ports: MemoryPorts,
  { origin = 'http://nas:8080', ...more }: { origin?: string; remember_me?: boolean } = {},
) {
  const passwordHash = await ports.passwords.hash(password)
  const anna = await accountOf(ports, { username: 'anna', passwordHash })
  const body = { username: 'anna', password, ...more }
  const answer = await call(login, { ports, body, headers: pageHeaders(origin) })
  const page = { cookie: cookieOf(answer.headers), key: answer.json.browser_key as string }
  const headers = (given: Partial<typeof page>) => {
    const { cookie, key } = { ...page, ...given }
    return {
      ...pageHeaders(origin),
      ...(cookie && { cookie }),
      ...(key && { 'x-browser-key': key }),
    }
  }
  return {
    ...page,
    anna,
    answer,
    /**
     * Refreshes, by default with the halves of the login and as a use of the page. `idle`: how many
     * seconds ago a person last used it.
     */
    refresh: ({ idle, ...given }: Partial<typeof page> & { idle?: number | undefined } = {}) =>
      call(refresh, {
        ports,
        headers: headers(given),
        ...(idle !== undefined && { body: { idle_seconds: idle } }),
      }),
    logout: (given: Partial<typeof page> = {}) => call(logout, { ports, headers: headers(given) }),
  }
}
