import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { installedStore } from './install.ts'
import { requireJava } from './java.ts'
import { endStaleStore, forgetOwner } from './owner.ts'
import { watchedStore } from './watch.ts'

/** A DynamoDB Local that is running. */
export interface LocalStore {
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  /** Of the JVM; it changes when the store is restarted. Nothing while it is down. */
  pid(): number | undefined
  /** Ends the store for good. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** 0, the default, is any free one. */
  port?: number
  /** How long a store that hangs is waited for before it is started again; 30 s unless given. Milliseconds. */
  hangDeadline?: number
  /** The directory of an unpacked DynamoDB Local; one that is installed unless given. */
  program?: string
  /** Told when the store dies and when it is back. */
  onEvent?: (event: string) => void
}

/**
 * Starts DynamoDB Local with its files in `directory` (made, for the owner alone) and keeps it running until `stop`: when
 * it dies it is started again on the same port with the same data. Resolves when it answers. Throws when there is no
 * Java, no DynamoDB Local, or another process keeps a store in the directory.
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
 * DynamoDB Local listens on every interface and checks no signature, but the access key names its database: who does not
 * know it sees an empty one.
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
