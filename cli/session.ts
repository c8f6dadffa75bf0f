import { accept } from './answer.ts'
import { type Config, configPath, isOpenToOthers, readConfig, writeConfig } from './config.ts'
import { ApiFailure, notLoggedIn } from './failure.ts'
import { send, type Target } from './http.ts'
import type { Io } from './io.ts'
import { locked } from './lock.ts'
import { serverUrl } from './server-url.ts'

/** An access token is renewed when fewer than this many milliseconds remain. */
const renewBefore = 60_000

/** The service that a command talks to, and its credential. */
export interface Session {
  target: Target
  /** Returns the credential, renewed if necessary. Throws `notLoggedIn` if there is none. */
  token(): Promise<string>
  /** Returns a credential other than `refused`, or undefined if none can be obtained. */
  renew(refused: string): Promise<string | undefined>
}

/** What the command line sets about the service. */
export interface Overrides {
  server?: string
  token?: string
  insecure?: boolean
}

/** Opens a session. Flags override the environment, which overrides the saved configuration. */
export async function openSession(overrides: Overrides, io: Io): Promise<Session> {
  const fixed = overrides.token ?? (io.env.CLI_TOKEN || undefined)
  const given = overrides.server ?? (io.env.CLI_SERVER || undefined)
  // With server and token given, no configuration is needed, not even a home directory.
  const file = fixed && given ? undefined : configPath(io)
  const config = file ? await readConfig(file) : {}
  if (file && (await isOpenToOthers(file, io))) {
    io.stderr.write(`cli: warning: others can read ${file}: chmod 600 it\n`)
  }
  const server = given ?? config.server
  if (!server) throw notLoggedIn('no server is configured')
  const insecure = overrides.insecure || config.insecure || false
  const target = { server: serverUrl(server), insecure }
  if (fixed) return { target, token: async () => fixed, renew: async () => undefined }
  return savedSession(file ?? configPath(io), config, target)
}

function savedSession(file: string, config: Config, target: Target): Session {
  const renew = async (refused: string) => {
    if (!config.refresh_token) return undefined
    const next = await locked(file, () => renewSaved(file, refused))
    if (next) Object.assign(config, next)
    return next?.token
  }
  return {
    target,
    renew,
    async token() {
      const { token } = config
      if (!token) throw notLoggedIn('not logged in', target.server)
      return (isEnding(token) && (await renew(token))) || token
    },
  }
}

/**
 * Runs under the lock. Another client may have renewed the session meanwhile; its token is used
 * then. The refresh token is sent only to the server that issued it. Returns undefined if the
 * session has ended.
 */
async function renewSaved(file: string, refused: string): Promise<Config | undefined> {
  const saved = await readConfig(file)
  if (saved.token && saved.token !== refused && !isEnding(saved.token)) return saved
  if (!saved.refresh_token || !saved.server) return undefined
  const target = { server: serverUrl(saved.server), insecure: saved.insecure ?? false }
  const pair = await exchange(target, saved.refresh_token)
  if (!pair) return undefined
  const next = { ...saved, token: pair.access_token, refresh_token: pair.refresh_token }
  await writeConfig(file, next)
  return next
}

interface TokenPair {
  access_token: string
  refresh_token: string
}

async function exchange(target: Target, refreshToken: string): Promise<TokenPair | undefined> {
  const body = { refresh_token: refreshToken }
  const request = { method: 'POST', path: '/auth/refresh', body, patience: 20_000 } as const
  try {
    return accept(await send(target, request), target) as TokenPair
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return undefined
    throw error
  }
}

/**
 * Returns true for a JWT that has expired or will soon. The expiry of an API token cannot be read.
 */
function isEnding(token: string): boolean {
  const claims = token.split('.')[1]
  if (!claims) return false
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
    return typeof exp === 'number' && exp * 1000 - Date.now() < renewBefore
  } catch {
    return false
  }
}
