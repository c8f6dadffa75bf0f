import type { Reach } from '../project.ts'
import { Problem, semantic } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'
import { fileBytesMax } from '../yaml/yaml.ts'
import { joinPath, normalizePath, relativeTo } from './paths.ts'

/** The texts that a stack consists of: all that a compose file can read. */
export interface StackFiles {
  /** Absolute, on the host. */
  directory: string
  texts: ReadonlyMap<string, string>
  reach: Reach
}

/** A stack's files by normal relative path; what lies elsewhere, by its absolute path. */
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
 * The text of an absolute path, or nothing when the stack has no such file. Throws a `Problem` for a text over 1 MiB, and
 * for a path outside of the stack's directory where that may not be reached.
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

/** The text of a file that another one names. Throws a `Problem` at `at` that says what there is not. */
export function getText(files: StackFiles, path: string, at: Path): string {
  const text = findText(files, path, at)
  if (text !== undefined) return text
  const key = relativeTo(files.directory, path)
  if (key === undefined) throw semantic(at, `${path} lies outside of the stack's directory`)
  throw semantic(at, `the stack has no file ${key}`)
}

/** Remote resources, as `https://…/compose.yaml` or `oci://…`, are no files. */
export const isRemote = (path: string): boolean =>
  /^([a-z][a-z0-9+.-]*:\/\/|git@|github\.com\/)/.test(path)

/** A path of a stack's file as messages show it. */
export const shownPath = (files: StackFiles, path: string): string =>
  relativeTo(files.directory, joinPath(files.directory, path)) ?? path
