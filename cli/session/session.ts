import type { Session } from '../api/client.ts'
import type { Target } from '../api/http.ts'
import { accept } from '../api/read-response.ts'
import { request } from '../api/request.ts'
import type { TokenPair } from '../api/types.ts'
import { ApiFailure, CliFailure, notLoggedIn } from '../failure.ts'
import type { Io } from '../io.ts'
import { configPath, isOpenToOthers, readConfig, type SavedLogin, writeConfig } from './config.ts'
import { contextName, findLogin, loginOf, withLogin } from './context.ts'
import { isInsecure } from './insecure.ts'
import { withFileLock } from './lock.ts'
import { isSameOrigin, serverUrl } from './server-url.ts'

/** An access token is renewed when fewer than this many milliseconds remain. */
const renewBefore = 60_000

/** Connection settings from the flags of the command. */
export interface Overrides {
  server?: string
  token?: string
  context?: string
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
  const name = contextName(config, overrides, io)
  const saved = fixed && given ? {} : { ...loginOf(config, name) }
  const server = given ?? saved.server
  if (!server) throw notLoggedIn('no server is configured')
  const url = serverUrl(server)
  const isSaved = saved.server !== undefined && isSameOrigin(serverUrl(saved.server), url)
  const insecure = isInsecure(overrides, io) || (isSaved && saved.insecure) || false
  const target = { server: url, insecure }
  if (fixed) return { target, token: async () => fixed, renew: async () => undefined }
  if (saved.token && !isSaved) throw savedElsewhere(saved, url)
  return savedSession({ file: file ?? configPath(io), name, saved, target })
}

/** A saved credential is never sent to another server than the one that issued it. */
const savedElsewhere = ({ server = 'no server' }: SavedLogin, url: string) =>
  new CliFailure(3, `the saved login is for ${server}, not for ${url}`, {
    hint: `give a token in CLI_TOKEN or --token, or run: cli login ${url} --context <name>`,
  })

interface SavedSession {
  file: string
  /** The name of the context. */
  name: string
  saved: SavedLogin
  target: Target
}

function savedSession(session: SavedSession): Session {
  const { file, saved, target } = session
  const renew = async (refused: string) => {
    if (!saved.refresh_token) return undefined
    const next = await withFileLock(file, () => renewSaved(session, refused))
    if (next) Object.assign(saved, next)
    return next?.token
  }
  return {
    target,
    renew,
    async token() {
      const { token } = saved
      if (!token) throw notLoggedIn('not logged in', target.server)
      return (isEnding(token) && (await renew(token))) || token
    },
  }
}

/**
 * Runs under the lock. Another client may have renewed the session meanwhile; its token is used
 * then. It may also have logged in elsewhere; that credential is not for this server. Returns
 * undefined if the session has ended.
 */
async function renewSaved(
  { file, name, target }: SavedSession,
  refused: string,
): Promise<SavedLogin | undefined> {
  const config = await readConfig(file)
  const saved = findLogin(config, name)
  if (!saved?.server || !isSameOrigin(serverUrl(saved.server), target.server)) return undefined
  if (saved.token && saved.token !== refused && !isEnding(saved.token)) return saved
  if (!saved.refresh_token) return undefined
  const issuer = { server: serverUrl(saved.server), insecure: target.insecure }
  const pair = await exchange(issuer, saved.refresh_token)
  if (!pair) return undefined
  const next = { ...saved, token: pair.access_token, refresh_token: pair.refresh_token }
  await writeConfig(file, withLogin(config, name, next))
  return next
}

async function exchange(target: Target, refreshToken: string): Promise<TokenPair | undefined> {
  const options = { body: { refresh_token: refreshToken }, timeout: 20_000 }
  try {
    return accept(await request(target, 'POST', '/auth/refresh', options), target)
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
