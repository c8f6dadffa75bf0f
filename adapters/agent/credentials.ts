import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Credentials = z.strictObject({
  hostId: z.string(),
  /** One or more `host:port` of the service, separated by commas. */
  endpoint: z.string(),
  /** PEM. The authority's certificate, the only one that is trusted. */
  ca: z.string(),
  certificate: z.string(),
  key: z.string(),
  /** SHA-256 of the token that it enrolled with, in hex. Missing if an earlier version wrote it. */
  token: z.string().optional(),
})

/** The identity of this agent and the service that it belongs to. */
export type Credentials = z.output<typeof Credentials>

const file = (directory: string) => join(directory, 'agent.json')

/**
 * Returns the credentials, or undefined if the agent is not enrolled yet. Throws if the file was
 * not written by the agent; the message names the file.
 */
export async function readCredentials(directory: string): Promise<Credentials | undefined> {
  let text: string
  try {
    text = await readFile(file(directory), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return Credentials.parse(JSON.parse(text))
  } catch {
    throw new Error(`${file(directory)} cannot be read; enrol this host again`)
  }
}

/**
 * Writes the file (mode 0600) atomically, so that key and certificate always match. It gets the
 * owner of the directory: root may enrol an agent that runs as another user.
 */
export async function writeCredentials(directory: string, credentials: Credentials): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const temporary = `${file(directory)}.${process.pid}`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(credentials))
    const { uid, gid } = await stat(directory)
    if (process.getuid?.() === 0) await handle.chown(uid, gid)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file(directory))
}
