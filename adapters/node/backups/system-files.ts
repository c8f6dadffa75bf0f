import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SystemFile } from '../../../functions/core/backups/system-parts.ts'
import type { AuditAnchor } from '../../../functions/core/ports/audit-anchor.ts'
import type { OpenKeyRing } from '../keys/key-ring.ts'

/** The state outside the store. */
export interface SystemPlace {
  dataDirectory: string
  /** The configuration file, if there is one. */
  configFile: string | undefined
  rings: Record<'secret-key' | 'audit-key', OpenKeyRing>
  anchor: AuditAnchor
}

/** Files of the data directory that are copied if they exist. */
const plain = ['signing-keys.json', 'agent-authority.pem', 'backup-identity.txt']

/**
 * Returns the files that a restored service needs, under their names in a data directory. Keys from
 * environment variables become files, because the restored service may not have the variables.
 */
export async function systemFiles(place: SystemPlace, startedAt: number): Promise<SystemFile[]> {
  const { dataDirectory, configFile, rings, anchor } = place
  const copies = plain.map((path) => ({ path, from: join(dataDirectory, path) }))
  if (configFile) copies.push({ path: 'config.yaml', from: configFile })
  const copied = await Promise.all(
    copies.map(async ({ path, from }) => fileOf(path, await readIfThere(from))),
  )
  const keys = Object.entries(rings).flatMap(([name, ring]) => keyFiles(name, ring, startedAt))
  const end = await anchor.read()
  return [...copied.flat(), ...keys, ...fileOf('audit-head', end && JSON.stringify(end))]
}

/**
 * Returns the keys as files in the order of `openKeyRing`: those from the environment come first.
 */
function keyFiles(name: string, ring: OpenKeyRing, startedAt: number): SystemFile[] {
  ring.refresh()
  return ring.list().flatMap(({ id, createdAt, source }, index) => {
    const stamp = source === 'environment' ? startedAt - index : createdAt
    const path = stamp === null ? name : `${name}s/${String(stamp).padStart(15, '0')}-${id}`
    const key = ring.keys[id]
    return fileOf(path, key && Buffer.from(key).toString('base64'))
  })
}

function fileOf(path: string, content: string | undefined): SystemFile[] {
  if (content === undefined) return []
  const mode = path === 'agent-authority.pem' ? 0o400 : 0o600
  const ended = content.endsWith('\n') ? content : `${content}\n`
  return [{ path, mode, content: Buffer.from(ended) }]
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
