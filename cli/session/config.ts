import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, win32 } from 'node:path'
import { failed, hasCode } from '../failure.ts'
import type { Io } from '../io.ts'

/** A saved login at one service. Unknown keys are kept unchanged. */
export interface SavedLogin {
  server?: string
  /** Access token or API token. */
  token?: string
  /** Present only after a login with a user name or an identity provider. */
  refresh_token?: string
  insecure?: boolean
}

/** The client's saved state. The login at its top level is that of the context `default`. */
export interface Config extends SavedLogin {
  /** The context that commands use; `default` if it is missing. */
  context?: string
  /** The logins of the other contexts by name. */
  contexts?: Record<string, SavedLogin>
}

/** Returns the path of the configuration on this platform. */
export function configPath({ env, platform }: Pick<Io, 'env' | 'platform'>): string {
  if (platform === 'win32') {
    const base = env.APPDATA || win32.join(home(env.USERPROFILE), 'AppData', 'Roaming')
    return win32.join(base, 'cli', 'config.json')
  }
  const base = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config']
  return posix.join(home(env.HOME), ...base, 'cli', 'config.json')
}

function home(directory: string | undefined): string {
  if (directory) return directory
  throw failed('no home directory for the configuration', {
    hint: 'set HOME, or both CLI_SERVER and CLI_TOKEN',
  })
}

/** Returns the saved configuration, or an empty one if there is none. */
export async function readConfig(path: string): Promise<Config> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw failed(`cannot read ${path}: ${error.code}`, { cause: error })
  })
  if (text === undefined) return {}
  const config = parse(text)
  if (!config) {
    throw failed(`${path} is not a valid configuration`, {
      hint: 'fix it, or delete it and log in again',
    })
  }
  return config
}

function parse(text: string): Config | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  const { context, contexts = {}, ...login } = value
  if (context !== undefined && typeof context !== 'string') return undefined
  if (!isRecord(contexts)) return undefined
  return [login, ...Object.values(contexts)].every(isLogin) ? (value as Config) : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isLogin(value: unknown): value is SavedLogin {
  if (!isRecord(value)) return false
  const { insecure } = value
  const texts = ['server', 'token', 'refresh_token'].map((key) => value[key])
  return (
    texts.every((one) => one === undefined || typeof one === 'string') &&
    (insecure === undefined || typeof insecure === 'boolean')
  )
}

/** Returns true if other users of the machine can read the configuration and so the credential. */
export async function isOpenToOthers(path: string, { platform }: Pick<Io, 'platform'>) {
  if (platform === 'win32') return false
  return stat(path).then(
    ({ mode }) => (mode & 0o077) !== 0,
    (error) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false
      throw error
    },
  )
}

/**
 * Replaces the configuration atomically. Only its owner can read it, and it is on disk once this
 * resolves.
 */
export async function writeConfig(path: string, config: Config): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // If the path is a symbolic link, it stays one.
    const target = await realpath(path).catch((error) => {
      if (hasCode(error, 'ENOENT')) return path
      throw error
    })
    const draft = `${target}.${randomBytes(6).toString('hex')}`
    await replace(draft, target, `${JSON.stringify(config, null, 2)}\n`)
    await removeDrafts(target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw failed(`cannot write ${path}: ${code ?? 'unknown error'}`, { cause: error })
  }
}

async function replace(draft: string, target: string, text: string): Promise<void> {
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** A draft is written within a second, so an older one was left behind. Milliseconds. */
const draftLife = 60_000

/**
 * Removes what killed clients left behind: drafts, which hold credentials, and rights to remove a
 * lock.
 */
async function removeDrafts(target: string): Promise<void> {
  const folder = dirname(target)
  const isDraft = (name: string) =>
    name.startsWith(`${basename(target)}.`) && /\.(lock\.[0-9a-f]{16}|[0-9a-f]{12})$/.test(name)
  for (const name of (await readdir(folder)).filter(isDraft)) {
    const draft = join(folder, name)
    const age = await stat(draft).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      (error) => {
        if (hasCode(error, 'ENOENT')) return 0
        throw error
      },
    )
    if (age > draftLife) await rm(draft, { force: true })
  }
}
