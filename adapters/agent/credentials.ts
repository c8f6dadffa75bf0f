import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Credentials = z.strictObject({
  hostId: z.string(),
  /** `host:port` of the service, one or several with commas between. */
  endpoint: z.string(),
  /** PEM: the authority's certificate, which alone is trusted. */
  ca: z.string(),
  certificate: z.string(),
  key: z.string(),
})

/** Who this agent is, and where it belongs. */
export type Credentials = z.output<typeof Credentials>

const file = (directory: string) => join(directory, 'agent.json')

/** Nothing before the agent was enrolled. Throws for a file that is not what the agent wrote, naming it. */
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

/** Replaces the file whole (mode 0600): key and certificate always belong together. */
export async function writeCredentials(directory: string, credentials: Credentials): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const temporary = `${file(directory)}.${process.pid}`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(credentials))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file(directory))
}
