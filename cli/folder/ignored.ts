import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreFile } from '../../functions/compose/build/ignore-file.ts'
import { failed, hasCode, wrongUsage } from '../failure.ts'

/** Which paths a build leaves out of its context. */
export interface BuildIgnoring {
  ignores(path: string): boolean
  /** Returns whether a directory is left out with everything in it. */
  ignoresAll(path: string): boolean
}

const nothing: BuildIgnoring = { ignores: () => false, ignoresAll: () => false }

/** The service reads no more of an ignore file. Bytes. */
const sizeMax = 1024 * 1024

/**
 * Returns what the first existing of these files ignores. `name` is its path in messages. Throws a
 * `CliFailure` if it has an invalid pattern.
 */
export async function readIgnored(root: string, names: readonly string[]): Promise<BuildIgnoring> {
  for (const name of names) {
    const text = await textOf(join(root, name))
    if (text !== undefined) return ignoring(text, name)
  }
  return nothing
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path)
    if (!stats.isFile() || stats.size > sizeMax) return undefined
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

function ignoring(text: string, name: string): BuildIgnoring {
  const { ignores } = parsed(text, name, failed)
  // A pattern that begins with `!` may bring back a file of an ignored directory.
  const hasExceptions = /^\s*!/m.test(text)
  return { ignores, ignoresAll: (path) => !hasExceptions && ignores(path) }
}

/**
 * Returns a function that tells whether a path matches one of the patterns of `--include`, or lies
 * in a directory that does. Patterns are those of `.dockerignore`.
 */
export function includes(patterns: readonly string[]): (path: string) => boolean {
  const lines = patterns.map((pattern) => {
    const text = pattern.trim()
    if (text === '' || /^[!#]|\n/.test(text) || text.startsWith('/') || text.startsWith('..'))
      throw wrongUsage(
        `--include ${JSON.stringify(pattern)}: must be a pattern of paths in the directory, such as docs/**`,
      )
    return text
  })
  return parsed(lines.join('\n'), '--include', wrongUsage).ignores
}

function parsed(text: string, name: string, failure: (message: string) => Error) {
  try {
    return ignoreFile(text, name)
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error)) throw error
    throw failure(error.message)
  }
}
