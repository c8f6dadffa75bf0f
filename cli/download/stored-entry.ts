import { checkShape } from '../../functions/core/stacks/tree-shape.ts'
import type { StackFile } from '../api/types.ts'
import { failed } from '../failure.ts'
import { refusedPath } from '../folder/path-rules.ts'
import { clean } from '../output/text.ts'

/** A regular file of a stack. */
export interface StoredFile {
  path: string
  /** Bytes. */
  size: number
  /** Permission bits. */
  mode: number
  /** SHA-256 of the content in hex. */
  digest: string
  secret: boolean
}

/** A link of a stack. */
export interface StoredLink {
  path: string
  link: string
}

export type StoredEntry = StoredFile | StoredLink

/** More files are refused, and larger ones. The service accepts no more. */
const filesMax = 20_000
const bytesMax = 1024 * 1024 * 1024

/**
 * Returns the files of a stack as the service lists them, sorted by path. Throws a `CliFailure` for
 * a list that could write outside of a directory: the service, or whoever took its place, is not
 * trusted with that.
 */
export function checkedEntries(files: readonly StackFile[]): StoredEntry[] {
  if (files.length > filesMax) throw unsafe(`it has more than ${filesMax} files`)
  const shape = new Map<string, { link?: string }>()
  for (const { path, link } of files) {
    const problem = refusedPath(path)
    if (problem !== undefined) throw unsafe(`${clean(path)}: ${problem}`)
    if (shape.has(path)) throw unsafe(`${clean(path)} is there twice`)
    shape.set(path, link === null ? {} : { link })
  }
  try {
    checkShape(shape, new Set(shape.keys()))
  } catch (cause) {
    if (!(cause instanceof Error) || !('status' in cause)) throw cause
    throw unsafe(cause.message, cause)
  }
  const entries = files.map(entryOf)
  if (entries.reduce((sum, one) => sum + sizeOf(one), 0) > bytesMax)
    throw unsafe('its files are larger than 1 GiB')
  return entries.sort(({ path: one }, { path: other }) => (one < other ? -1 : 1))
}

function entryOf({ path, size, mode, digest, link, secret }: StackFile): StoredEntry {
  if (link !== null) return { path, link }
  if (digest === null || mode === null || !/^0?[0-7]{3}$/.test(mode))
    throw unsafe(`${clean(path)} has no digest or no mode`)
  return { path, size, mode: Number.parseInt(mode, 8), digest, secret }
}

/** Returns the bytes of a file; 0 for a link. */
export const sizeOf = (entry: StoredEntry): number => ('link' in entry ? 0 : entry.size)

/**
 * Returns whether a path is in a directory `.git`: programs run what is written there, and a stack
 * is no way to get it into the checkout of someone else.
 */
export const isOfGit = ({ path }: StoredEntry): boolean =>
  path.split('/').some((name) => name.toLowerCase() === '.git')

const unsafe = (why: string, cause?: unknown) =>
  failed(`the list of files that the service sent cannot be written: ${why}`, { cause })
