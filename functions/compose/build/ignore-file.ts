import { unprocessable } from '../errors.ts'
import { type PathPattern, pathPattern } from './path-pattern.ts'

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
    .map((line) => line.trim())
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
  const takesBack = line.startsWith('!')
  const text = takesBack ? line.slice(1).trim() : line
  if (text === '') throw unprocessable(`${name}: "${line}" is not a valid pattern`)
  try {
    return { pattern: pathPattern(clean(text)), takesBack }
  } catch (error) {
    throw unprocessable(`${name}: ${(error as Error).message}`)
  }
}

/** Normalises a pattern: no `.`, no doubled slashes, `..` resolved, and relative to the context. */
function clean(pattern: string): string {
  const parts: string[] = []
  for (const part of pattern.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts.length > 0 ? parts.join('/') : '.'
}
