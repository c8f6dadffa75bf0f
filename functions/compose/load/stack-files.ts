import { joinPath, normalizePath, relativeTo } from '../paths.ts'
import type { ComposeInput, Reach } from '../project.ts'
import { Problem, semantic } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'
import { fileBytesMax } from '../yaml/yaml.ts'
import { followLinks } from './tree-links.ts'

/** The text files of a stack. A compose file can read nothing else. */
export interface StackFiles {
  /** An absolute path on the host. */
  directory: string
  texts: Pick<ReadonlyMap<string, string>, 'get'>
  /** Files whose text was not read yet: path → bytes. */
  unread: ReadonlyMap<string, number>
  /** Links: path → target. */
  links: ReadonlyMap<string, string>
  /** The unread files that were asked for. */
  requested: Set<string>
  reach: Reach
  /** Files that other files require and the stack does not have; see `requireText`. */
  missing: Problem[]
  /** The files whose content the result of the load must not show, by the same keys. */
  secret: ReadonlySet<string>
}

/**
 * Indexes files by normalized path relative to the directory, or by absolute path if they are
 * outside it.
 */
export function stackFiles({
  directory,
  files,
  unread = {},
  links = {},
  reach,
  secret = [],
}: Pick<
  ComposeInput,
  'directory' | 'files' | 'unread' | 'links' | 'reach' | 'secret'
>): StackFiles {
  const texts = Object.entries(files).map(
    ([path, text]) => [relativeTo(directory, path) ?? path, text] as const,
  )
  return {
    directory,
    reach,
    texts: new Map(texts),
    requested: new Set(),
    missing: [],
    secret: new Set(secret.map((path) => relativeTo(directory, path) ?? path)),
    unread: new Map(Object.entries(unread)),
    links: new Map(Object.entries(links)),
  }
}

/**
 * Returns the text at an absolute path, or undefined if the stack has no such file. The text of a
 * file that was not read is empty, and the file is noted as wanted.
 *
 * @throws Problem for a text over 1 MiB, or for a path outside the stack's directory if `reach` is
 * `stack`
 */
export function findText(files: StackFiles, path: string, at: Path = []): string | undefined {
  const key = relativeTo(files.directory, path)
  if (key === undefined && files.reach === 'stack') {
    const detail = `${path} lies outside of the stack's directory: this needs the permission stacks:privileged`
    throw new Problem('policy', detail, { path: at })
  }
  const place = key === undefined ? normalizePath(path) : followLinks(key, files.links)
  if (place === undefined) return undefined
  const text = files.texts.get(place) ?? unreadText(files, place)
  const size = text?.length || (files.unread.get(place) ?? 0)
  if (size > fileBytesMax) throw semantic(at, `${key ?? path} is larger than 1 MiB`)
  return text
}

function unreadText({ unread, requested }: StackFiles, place: string): '' | undefined {
  const size = unread.get(place)
  if (size === undefined) return undefined
  if (size <= fileBytesMax) requested.add(place)
  return ''
}

/**
 * Returns the text of a file.
 *
 * @throws Problem at `at` if the file does not exist
 */
export function getText(files: StackFiles, path: string, at: Path): string {
  const text = findText(files, path, at)
  if (text !== undefined) return text
  throw missingText(files, path, at)
}

/**
 * Returns the text of a file that another file requires. A missing file is added to `missing`, and
 * the result is undefined: loading goes on, so that one error can name all missing files.
 */
export function requireText(files: StackFiles, path: string, at: Path): string | undefined {
  const text = findText(files, path, at)
  if (text === undefined) files.missing.push(missingText(files, path, at))
  return text
}

function missingText(files: StackFiles, path: string, at: Path): Problem {
  const key = relativeTo(files.directory, path)
  if (key === undefined) return semantic(at, `${path} lies outside of the stack's directory`)
  return semantic(at, `the stack has no file ${key}`)
}

/**
 * Returns whether the result of the load must not show the content of a file. Links are followed.
 */
export function isSecret({ directory, secret, links }: StackFiles, path: string): boolean {
  const key = relativeTo(directory, path)
  if (key === undefined) return secret.has(normalizePath(path))
  const place = followLinks(key, links)
  return secret.has(key) || (place !== undefined && secret.has(place))
}

/** Returns whether a path is a remote resource, such as `https://…/compose.yaml` or `oci://…`. */
export const isRemote = (path: string): boolean =>
  /^([a-z][a-z0-9+.-]*:\/\/|git@|github\.com\/)/.test(path)

/** Returns the path of a stack file for messages. */
export const shownPath = (files: StackFiles, path: string): string =>
  relativeTo(files.directory, joinPath(files.directory, path)) ?? path
