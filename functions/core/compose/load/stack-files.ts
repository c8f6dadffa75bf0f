import type { Reach } from '../project.ts'
import { Problem, semantic } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'
import { fileBytesMax } from '../yaml/yaml.ts'
import { joinPath, normalizePath, relativeTo } from './paths.ts'

/** The text files of a stack. A compose file can read nothing else. */
export interface StackFiles {
  /** An absolute path on the host. */
  directory: string
  texts: ReadonlyMap<string, string>
  reach: Reach
}

/**
 * Indexes files by normalized path relative to the directory, or by absolute path if they are
 * outside it.
 */
export const stackFiles = (
  directory: string,
  files: Record<string, string>,
  reach: Reach,
): StackFiles => ({
  directory,
  reach,
  texts: new Map(
    Object.entries(files).map(([path, text]) => [relativeTo(directory, path) ?? path, text]),
  ),
})

/**
 * Returns the text at an absolute path, or undefined if the stack has no such file.
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
  const text = files.texts.get(key ?? normalizePath(path))
  if (text !== undefined && text.length > fileBytesMax)
    throw semantic(at, `${key ?? path} is larger than 1 MiB`)
  return text
}

/**
 * Returns the text of a file that another file refers to.
 *
 * @throws Problem at `at` if the file does not exist
 */
export function getText(files: StackFiles, path: string, at: Path): string {
  const text = findText(files, path, at)
  if (text !== undefined) return text
  const key = relativeTo(files.directory, path)
  if (key === undefined) throw semantic(at, `${path} lies outside of the stack's directory`)
  throw semantic(at, `the stack has no file ${key}`)
}

/** Reports whether a path is a remote resource, such as `https://…/compose.yaml` or `oci://…`. */
export const isRemote = (path: string): boolean =>
  /^([a-z][a-z0-9+.-]*:\/\/|git@|github\.com\/)/.test(path)

/** Returns the path of a stack file for messages. */
export const shownPath = (files: StackFiles, path: string): string =>
  relativeTo(files.directory, joinPath(files.directory, path)) ?? path
