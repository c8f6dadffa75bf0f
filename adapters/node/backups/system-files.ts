import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SystemFile } from '../../../functions/core/backups/system/system-parts.ts'
import type { AuditAnchor } from '../../../functions/core/ports/audit-anchor.ts'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { StoredKey } from '../../../functions/core/records/keys.ts'
import { authorityFile } from '../keys/authority.ts'
import { type OpenKeyRing, ringName } from '../keys/key-ring.ts'

/** The state that is not among the records of the store. */
export interface SystemPlace {
  keys: KeyStore
  dataDirectory: string
  /** The configuration file, if there is one. */
  configFile: string | undefined
  rings: Record<'secret-key' | 'audit-key', OpenKeyRing>
  anchor: AuditAnchor
}

/** Keys that are copied if they exist. */
const plain = ['signing-keys.json', 'backup-identity.txt']

/**
 * Returns the files that a restored service needs, under their names in a data directory. Keys from
 * the store and from environment variables become files, because the restored service may not have
 * the variables.
 */
export async function systemFiles(place: SystemPlace, startedAt: number): Promise<SystemFile[]> {
  const { keys, dataDirectory, configFile, rings, anchor } = place
  const copies = [{ path: authorityFile, from: join(dataDirectory, authorityFile) }]
  if (configFile) copies.push({ path: 'config.yaml', from: configFile })
  const copied = await Promise.all([
    ...plain.map(async (path) => fileOf(path, (await keys.find(path))?.text)),
    ...copies.map(async ({ path, from }) => fileOf(path, await readIfThere(from))),
  ])
  const inRings = Object.entries(rings).map(([name, ring]) => filesOfRing(name, ring, startedAt))
  const end = await anchor.read()
  return [
    ...copied.flat(),
    ...(await Promise.all(inRings)).flat(),
    ...fileOf('audit-head', end && JSON.stringify(end)),
  ]
}

/**
 * Returns the keys as files in the order of `openKeyRing`: those from the environment come first.
 */
async function filesOfRing(
  name: string,
  ring: OpenKeyRing,
  startedAt: number,
): Promise<SystemFile[]> {
  const keys = await ring.list()
  const single = keys.find(({ createdAt, source }) => createdAt === null && !isConfigured(source))
  return keys.flatMap(({ id, createdAt, source }, index) => {
    const stamp = isConfigured(source) ? startedAt - index : (createdAt ?? 0)
    const path = id === single?.id ? name : ringName(`${name}s`, stamp, id)
    const key = ring.keys[id]
    return fileOf(path, key && Buffer.from(key).toString('base64'))
  })
}

const isConfigured = (source: StoredKey['source']) => source === 'environment'

function fileOf(path: string, content: string | undefined): SystemFile[] {
  if (content === undefined) return []
  const mode = path === authorityFile ? 0o400 : 0o600
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
