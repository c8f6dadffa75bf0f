import { createHash } from 'node:crypto'
import type { Client } from '../api/client.ts'
import type { StackFile } from '../api/types.ts'
import { addTracked } from './add-tracked.ts'
import { compareFiles } from './compare.ts'
import type { ComposeFiles } from './compose-files.ts'
import type { FolderEntry } from './folder-entry.ts'
import { mainFileOf } from './main-file.ts'
import type { PreparedFolder } from './prepare.ts'

/** What an update of a stack would change. */
export interface StackDifference {
  /** Compose file, .env and overlays that differ, by their paths in the stack. */
  texts: Record<string, string>
  entries: FolderEntry[]
  unchanged: number
  /** Overlays of the stack that the directory does not have, where it has others. */
  oldOverlays: string[]
  /** Files of the stack that the directory does not have. */
  gone: string[]
}

/** Returns the files of a stack. */
export async function storedFiles(client: Client, name: string): Promise<StackFile[]> {
  return (await client.get('/stacks/{name}/files', { path: { name } })).value
}

/** Compares a directory with the files that the stack has. */
export async function findDifference(
  { files, found }: PreparedFolder,
  stored: readonly StackFile[],
): Promise<StackDifference> {
  const main = mainFileOf(stored)
  const overlays = stored.map(({ path }) => path).filter((path) => overlay.test(path))
  const texts = textsByPath(files, main)
  const before = new Map(stored.map(({ path, digest }) => [path, digest]))
  const changed = Object.entries(texts).filter(([path, text]) => before.get(path) !== sha256(text))
  const names = new Set([main, '.env', ...overlays, ...Object.keys(texts)])
  const gone = files.isAlone ? [] : await addTracked(found, stored, names)
  const { changed: entries, unchanged } = await compareFiles(found, stored)
  const replaced = Object.keys(files.overlays).length > 0
  return {
    entries,
    gone,
    texts: Object.fromEntries(changed),
    unchanged: unchanged + Object.keys(texts).length - changed.length,
    oldOverlays: replaced ? overlays.filter((path) => !Object.hasOwn(texts, path)) : [],
  }
}

const overlay = /^compose\.[a-z0-9][a-z0-9_-]{0,62}\.yaml$/

function textsByPath({ main, env, overlays }: ComposeFiles, mainFile: string) {
  const named = Object.entries(overlays).map(([name, { text }]) => [`compose.${name}.yaml`, text])
  return Object.fromEntries([
    [mainFile, main.text],
    ...(env === undefined ? [] : [['.env', env]]),
    ...named,
  ]) as Record<string, string>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
