import { unprocessable } from '../../errors.ts'
import { type PathPattern, pathPattern } from './path-pattern.ts'

/** Says of paths below a build's context whether they are left out. */
export interface Ignoring {
  /** `path` is relative to the context. What stands in an ignored directory is ignored unless a pattern takes it back. */
  ignores(path: string): boolean
}

interface Rule {
  pattern: PathPattern
  takesBack: boolean
}

/** Reads a `.dockerignore` file. Throws a `Failure` 422 that names it for a line that is no pattern. */
export function ignoreFile(text: string, name: string): Ignoring {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ruleOf(line, name))
  if (rules.length === 0) return { ignores: () => false }
  /** Directory → which rules it matches, itself or by what it stands in. Each is met before what it holds. */
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
  if (text === '') throw unprocessable(`${name}: "${line}" is not a pattern`)
  try {
    return { pattern: pathPattern(clean(text)), takesBack }
  } catch (error) {
    throw unprocessable(`${name}: ${(error as Error).message}`)
  }
}

/** Without `.` and doubled slashes, `..` resolved, and relative: patterns begin at the context. */
function clean(pattern: string): string {
  const parts: string[] = []
  for (const part of pattern.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts.length > 0 ? parts.join('/') : '.'
}
