import { unprocessable } from '../errors.ts'
import { type PathPattern, pathPattern } from './path-pattern.ts'
import { trimSpace } from './white-space.ts'

/** A parsed `.dockerignore` file. */
export interface Ignoring {
  /**
   * Returns whether a path is left out of the build's context.
   *
   * @param path relative to the context; in an ignored directory it is ignored unless a pattern
   *   beginning with `!` matches it
   */
  ignores(path: string): boolean
}

interface Rule {
  pattern: PathPattern
  takesBack: boolean
}

/**
 * Parses a `.dockerignore` file.
 *
 * @throws 422 that names the file if a line is not a valid pattern
 */
export function ignoreFile(text: string, name: string): Ignoring {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map(trimSpace)
    .filter((line) => line !== '')
    .map((line) => ruleOf(line, name))
  if (rules.length === 0) return { ignores: () => false }
  /** Directory → which rules match it or a directory above it. */
  const directories = new Map<string, boolean[]>()

  function matched(path: string): boolean[] {
    const slash = path.lastIndexOf('/')
    const parent = slash < 0 ? undefined : path.slice(0, slash)
    let above = parent === undefined ? undefined : directories.get(parent)
    if (parent !== undefined && !above) {
      above = matched(parent)
      directories.set(parent, above)
    }
    return rules.map(({ pattern }, index) => above?.[index] || pattern.matches(path))
  }

  return {
    ignores(path) {
      let ignored = false
      const matches = matched(path)
      for (const [index, rule] of rules.entries()) if (matches[index]) ignored = !rule.takesBack
      return ignored
    },
  }
}

function ruleOf(line: string, name: string): Rule {
  const text = normalized(line)
  const takesBack = text.startsWith('!')
  try {
    if (text === '!') throw new Error(`"${line}" is not a valid pattern`)
    return { pattern: pathPattern(takesBack ? text.slice(1) : text), takesBack }
  } catch (error) {
    throw unprocessable(`${name}: ${(error as Error).message}`)
  }
}

/** Returns a line in the form that builders use: relative to the context, so `/!a` is `!a`. */
function normalized(line: string): string {
  const takesBack = line.startsWith('!')
  const text = takesBack ? trimSpace(line.slice(1)) : line
  const path = text === '' ? '' : clean(text)
  const relative = path.length > 1 ? path.replace(/^\//, '') : path
  return clean(trimSpace((takesBack ? '!' : '') + relative))
}

/**
 * Returns a path without `.`, doubled slashes and a final slash, and with `..` resolved. A `..`
 * that leaves the context stays, so that the pattern matches nothing.
 */
function clean(path: string): string {
  const root = path.startsWith('/') ? '/' : ''
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (root === '') parts.push(part)
  }
  return root + parts.join('/') || '.'
}
