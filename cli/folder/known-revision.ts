import { realpath } from 'node:fs/promises'
import type { Client } from '../api/client.ts'
import type { StackFile } from '../api/types.ts'
import { ApiFailure, hasCode } from '../failure.ts'
import type { Io } from '../io.ts'
import { savedList } from '../session/saved-list.ts'

/** A stack whose files a directory has. */
export interface FolderOfStack {
  name: string
  root: string
}

/**
 * Returns the revision of a stack that a directory had last: it was sent from there, or downloaded
 * into it, by this user on this machine. Undefined if that is unknown.
 */
export async function knownRevision(
  client: Client,
  folder: FolderOfStack,
  io: Io,
): Promise<number | undefined> {
  const revision: unknown = await list(io).find(await keyOf(client, folder))
  return Number.isSafeInteger(revision) ? (revision as number) : undefined
}

/** Remembers that a directory has a revision of a stack. */
export const rememberRevision = async (
  client: Client,
  folder: FolderOfStack,
  revision: number,
  io: Io,
): Promise<void> => list(io).keep(await keyOf(client, folder), revision)

/** Returns the files of a revision; undefined if it is no longer stored. */
export async function filesOfRevision(
  client: Client,
  name: string,
  revision: number,
): Promise<StackFile[] | undefined> {
  try {
    const query = { revision: String(revision) }
    return (await client.get('/stacks/{name}/files', { path: { name }, query })).value
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
}

const list = (io: Io) => savedList<number>(io, 'folders.json')

async function keyOf({ server }: Client, { name, root }: FolderOfStack): Promise<string> {
  const path = await realpath(root).catch((error) => {
    if (!hasCode(error, 'ENOENT')) throw error
    return root
  })
  return [server, name, path].join(' ')
}
