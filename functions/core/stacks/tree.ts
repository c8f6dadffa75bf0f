import { createHash } from 'node:crypto'
import { ownEntry } from '../../compose/lookup.ts'
import { internalError } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackFiles } from '../records/stack-files.ts'
import {
  executableMode,
  isLink,
  plainMode,
  type StackTree,
  type TreeEntry,
  type TreeFile,
} from '../records/stack-tree.ts'

/**
 * Returns the files of a stack other than compose.yaml, `.env` and overlays.
 *
 * @throws 500 if the manifest is missing or damaged
 */
export async function readTree(
  { tree, others }: Pick<StackFiles, 'tree' | 'others'>,
  { texts }: Needs<'texts'>,
): Promise<StackTree> {
  const older = Object.entries(others).map(
    async ([path, reference]) => [path, await fileOfReference(reference, { texts })] as const,
  )
  const manifest = tree === undefined ? [] : entriesOf(await texts.get(tree))
  return Object.fromEntries([...(await Promise.all(older)), ...manifest])
}

/**
 * Stores the manifest of a tree and returns its digest; undefined for an empty tree. Equal trees
 * have equal digests. Every content of it has to be stored already: by `fileBatches`, or as part of
 * the record that the new one replaces.
 */
export async function storeTree(
  tree: StackTree,
  { texts }: Needs<'texts'>,
): Promise<string | undefined> {
  const entries = Object.entries(tree).sort(([one], [other]) => (one < other ? -1 : 1))
  if (entries.length === 0) return undefined
  return texts.put(JSON.stringify(entries.map(([path, entry]) => [path, normalForm(entry)])))
}

/** Returns the content of a file. */
export async function readFile(
  { digest }: Pick<TreeFile, 'digest'>,
  { texts }: Needs<'texts'>,
): Promise<Uint8Array> {
  const [stored = '', form] = digest.split(';')
  if (form === undefined) return texts.getBytes(stored)
  return Buffer.from(await texts.get(stored), 'base64')
}

/** Returns the entry of a file whose content is stored under a digest. */
export const fileEntry = (digest: string, content: Uint8Array, mode: number): TreeFile => ({
  digest,
  sha256: sha256Of(content),
  size: content.length,
  mode: mode & 0o777,
})

export const sha256Of = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** Returns whether two entries are the same on a host. A missing entry differs from all others. */
export function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  if (!one || !other) return false
  if (isLink(one) || isLink(other)) return isLink(one) && isLink(other) && one.link === other.link
  return one.sha256 === other.sha256 && one.mode === other.mode
}

/** Returns the entry at a path, or undefined if the tree has no such path. */
export const entryAt = <T>(tree: Record<string, T>, path: string): T | undefined =>
  ownEntry(tree, path)

/** Returns the permission bits of an entry. Those of a link are never used. */
export const modeOf = (entry: TreeEntry): number => (isLink(entry) ? 0o777 : entry.mode)

/** Returns the bytes of a file, and those of the target of a link. */
export const sizeOf = (entry: TreeEntry): number =>
  isLink(entry) ? Buffer.byteLength(entry.link) : entry.size

/** A manifest is the JSON of `[path, entry]`, sorted by path, so that no path is special in it. */
function entriesOf(manifest: string): [string, TreeEntry][] {
  try {
    return JSON.parse(manifest)
  } catch (cause) {
    throw internalError('The stored list of the files of a stack is damaged', { cause })
  }
}

/** Returns the entry with its properties in one order, so that equal trees are equal texts. */
function normalForm(entry: TreeEntry): TreeEntry {
  if (isLink(entry)) return { link: entry.link }
  const { digest, sha256, size, mode, secret, decrypted } = entry
  const marks = { ...(secret && { secret }), ...(decrypted && { decrypted }) }
  return { digest, sha256, size, mode, ...marks }
}

/** Returns the file for a reference in `others` of an earlier version. */
async function fileOfReference(reference: string, ports: Needs<'texts'>): Promise<TreeFile> {
  const [digest = '', form, executable] = reference.split(';')
  const stored = form === undefined ? digest : `${digest};${form}`
  const content = await readFile({ digest: stored }, ports)
  return fileEntry(stored, content, executable === 'x' ? executableMode : plainMode)
}
