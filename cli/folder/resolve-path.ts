import type { Stats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../failure.ts'

/** The links in a path, and the file or directory that they lead to. */
export interface Resolved {
  links: { path: string; target: string }[]
  end: { path: string; stats: Stats } | { problem: 'missing' | 'unreadable' | 'outside' | 'loop' }
}

/** The number of links that Linux follows in one path. */
const hopsMax = 40

/**
 * Follows a path below a directory name by name, without leaving the directory. A link with an
 * absolute target leads outside.
 *
 * @param path relative, normalized; empty for the directory itself
 */
export async function resolvePath(root: string, path: string): Promise<Resolved> {
  const links: Resolved['links'] = []
  const rest = path === '' ? [] : path.split('/')
  const at: string[] = []
  const problem = (problem: 'missing' | 'unreadable' | 'outside' | 'loop') => ({
    links,
    end: { problem },
  })
  try {
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
      if (name === '' || name === '.') continue
      if (name === '..') {
        if (at.pop() === undefined) return problem('outside')
        continue
      }
      const here = [...at, name].join('/')
      if (!(await lstat(join(root, here))).isSymbolicLink()) {
        at.push(name)
        continue
      }
      const target = await readlink(join(root, here))
      links.push({ path: here, target })
      if (target.startsWith('/')) return problem('outside')
      if (links.length > hopsMax) return problem('loop')
      rest.unshift(...target.split('/'))
    }
    const end = at.join('/')
    return { links, end: { path: end, stats: await lstat(join(root, end)) } }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return problem('missing')
    if (hasCode(error, 'EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP')) return problem('unreadable')
    throw error
  }
}
