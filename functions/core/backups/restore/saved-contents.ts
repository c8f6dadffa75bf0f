import { Failure, unusable } from '../../errors.ts'
import type { Needs } from '../../ports/ports.ts'
import type { SettingValues } from '../../records/settings.ts'
import {
  plainMode,
  type StackTree,
  type TreeEntry,
  type TreeFile,
} from '../../records/stack-tree.ts'
import { checkPatch } from '../../stacks/apply-patch.ts'
import { fileBatches } from '../../stacks/file-batches.ts'
import { shownPath } from '../../stacks/file-path.ts'
import type { NewFile } from '../../stacks/new-file.ts'
import { sha256Of } from '../../stacks/tree.ts'
import { checkTree } from '../../stacks/tree-check.ts'
import type { TarEntry } from '../../tar/entries.ts'
import { contentName, type SavedEntry, type SavedStack } from '../contents/saved-stack.ts'

/**
 * Checks the files of a saved stack like the files of a request, because anyone who can write to
 * the target of a backup can change them.
 *
 * @throws 422 with the path
 */
export function checkSavedFiles(
  saved: SavedStack,
  files: readonly (readonly [path: string, file: NewFile | SavedEntry])[],
  limits: SettingValues,
): void {
  const tree = new Map(files.map(([path, file]) => [path, checkedFile(file)]))
  const { compose, env, overlays } = saved
  const stack = { composeFiles: saved.compose_files }
  const before = { compose: '', env: null, overlays: {}, tree: {} }
  try {
    if (tree.size < files.length) throw unusable('it lists a file twice')
    checkPatch(tree, stack)
    const after = { compose, env, overlays, tree: Object.fromEntries(tree) }
    checkTree(after, { before, patch: tree, stack }, limits)
  } catch (error) {
    if (!(error instanceof Failure) || error.status === 500) throw error
    throw unusable(`stack ${saved.name} in the backup: ${error.message}`, { cause: error })
  }
}

/** The digest in the store is not known before the content is stored. */
const checkedFile = (file: NewFile | SavedEntry): NewFile | TreeEntry =>
  'sha256' in file ? { ...file, digest: '' } : file

/**
 * Stores the contents of a saved tree, a few at a time, and returns the tree. The contents are the
 * next entries of the archive.
 *
 * @throws 422 if a content is missing or is not the one that the record names
 */
export async function storeContents(
  name: string,
  listed: SavedStack['tree'],
  entries: AsyncIterator<TarEntry>,
  ports: Needs<'texts'>,
): Promise<StackTree> {
  const contents = new Map<string, { path: string; size: number }>()
  for (const [path, entry] of listed) {
    if ('link' in entry) continue
    const { sha256, size } = entry
    const other = contents.get(sha256)
    if (other && other.size !== size) throw wrongContent(name, path)
    if (!other) contents.set(sha256, { path, size })
  }
  const batches = fileBatches(ports)
  for (const [sha256, { path, size }] of contents) {
    const next = await entries.next()
    const content = next.done ? undefined : await contentIn(next.value, sha256, size)
    if (!content) throw wrongContent(name, path)
    await batches.add(sha256, content, plainMode)
  }
  const kept = await batches.end()
  return Object.fromEntries(listed.map(([path, entry]) => [path, treeEntry(entry, kept)] as const))
}

/** Returns the content of an entry, or undefined if it is not the expected content. */
async function contentIn(
  { header, content }: TarEntry,
  sha256: string,
  size: number,
): Promise<Uint8Array | undefined> {
  const isExpected = header.name === contentName(sha256) && header.type === 'file'
  if (!isExpected || header.size !== size) return undefined
  const bytes = await readAll(content)
  return sha256Of(bytes) === sha256 ? bytes : undefined
}

function treeEntry(entry: SavedEntry, kept: ReadonlyMap<string, TreeFile>): TreeEntry {
  if ('link' in entry) return entry
  return { ...entry, digest: kept.get(entry.sha256)?.digest ?? '' }
}

/** Reads a content into memory and returns it. */
export async function readAll(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(Uint8Array.from(part))
  return Buffer.concat(parts)
}

const wrongContent = (name: string, path: string) =>
  unusable(
    `the archive of the stack ${name} does not have the content of ${shownPath(path)} that its record names`,
  )
