import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, posix, win32 } from 'node:path'
import { failed } from './failure.ts'
import type { Io } from './io.ts'

/** The client's saved state. Unknown keys are kept unchanged. */
export interface Config {
  server?: string
  /** Access token or API token. */
  token?: string
  /** Present only after a login with a user name or an identity provider. */
  refresh_token?: string
  insecure?: boolean
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const config = value as Record<string, unknown>
  const texts = ['server', 'token', 'refresh_token'].map((key) => config[key])
  if (texts.some((one) => one !== undefined && typeof one !== 'string')) return undefined
  const { insecure } = config
  return insecure === undefined || typeof insecure === 'boolean' ? (config as Config) : undefined
}

/** Returns true if other users of the machine can read the configuration and so the credential. */
export async function isOpenToOthers(path: string, { platform }: Pick<Io, 'platform'>) {
  if (platform === 'win32') return false
  return stat(path).then(
    ({ mode }) => (mode & 0o077) !== 0,
    () => false,
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
    const target = await realpath(path).catch(() => path)
    const draft = `${target}.${randomBytes(6).toString('hex')}`
    await replace(draft, target, `${JSON.stringify(config, null, 2)}\n`)
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
