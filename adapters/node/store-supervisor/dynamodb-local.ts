import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { installedStore } from './install.ts'
import { requireJava } from './java.ts'
import { endStaleStore, forgetOwner } from './owner.ts'
import { watchedStore } from './watch.ts'

/** A running DynamoDB Local. */
export interface LocalStore {
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  /**
   * Returns the process ID of the JVM, or undefined while it is down. Changes with each restart.
   */
  pid(): number | undefined
  /** Stops the store for good. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** 0, the default, selects a free port. */
  port?: number
  /** How long a store may hang before it is restarted. Milliseconds, 30 s by default. */
  hangDeadline?: number
  /** The directory of an unpacked DynamoDB Local; the installed one by default. */
  program?: string
  /** Called when the store dies and when it is back. */
  onEvent?: (event: string) => void
}

/**
 * Starts DynamoDB Local with its files in `directory`, which is created for the owner only.
 * Restarts it on the same port with the same data if it dies, until `stop`. Resolves when it
 * responds.
 *
 * @throws if there is no Java or no DynamoDB Local, or if another process has a store in the
 * directory
 */
export async function start(directory: string, options: StartOptions = {}): Promise<LocalStore> {
  await requireJava()
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const home = realpathSync(directory)
  chmodSync(home, 0o700)
  await endStaleStore(home)
  const port = options.port || (await freePort())
  const installed = await installedStore(join(home, 'program'), { configured: options.program })
  const store = await watchedStore({
    installed,
    directory: home,
    port,
    hangDeadline: options.hangDeadline ?? 30_000,
    onEvent: options.onEvent ?? (() => {}),
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'local',
    credentials: accessKey(home),
    pid: store.pid,
    async stop() {
      await store.stop()
      forgetOwner(home)
    },
  }
}

/**
 * Returns the credentials, whose key ID is a secret. DynamoDB Local listens on every interface and
 * checks no signature, but the key ID selects the database: without it a client sees an empty one.
 */
function accessKey(directory: string) {
  const file = join(directory, 'access-key')
  try {
    writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = readFileSync(file, 'utf8').trim()
  return { accessKeyId: key, secretAccessKey: key }
}
