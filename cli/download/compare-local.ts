import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../failure.ts'
import { parentsOf } from '../folder/path-rules.ts'
import { statsAt } from '../folder/stats-at.ts'
import { clean } from '../output/text.ts'
import type { StoredEntry, StoredFile } from './stored-entry.ts'

/** What a directory has at the path of a stored file. */
export type LocalState = 'absent' | 'same' | 'differs' | { blocked: string }

/**
 * Returns how a directory compares with stored files: by content, mode and target of links. Links
 * in the directory are never followed.
 */
export class LocalFolder {
  readonly #root: string
  readonly #anyMode: ReadonlySet<string>
  readonly #directories = new Map<string, LocalState>()

  /** @param anyMode paths whose mode the service decides, so that another one is no difference */
  constructor(root: string, anyMode: ReadonlySet<string>) {
    this.#root = root
    this.#anyMode = anyMode
  }

  async stateOf(entry: StoredEntry): Promise<LocalState> {
    for (const parent of [...parentsOf(entry.path)].reverse()) {
      const state = await this.#directory(parent)
      if (state !== 'same') return state
    }
    const source = join(this.#root, entry.path)
    const stats = await statsAt(source)
    if (!stats) return 'absent'
    if (stats.isDirectory()) return { blocked: `${clean(entry.path)} is a directory here` }
    if ('link' in entry) return (await targetOf(source, stats)) === entry.link ? 'same' : 'differs'
    return (await this.#isSame(entry, source, stats)) ? 'same' : 'differs'
  }

  async #directory(path: string): Promise<LocalState> {
    const known = this.#directories.get(path)
    if (known !== undefined) return known
    const stats = await statsAt(join(this.#root, path))
    const kind = stats?.isSymbolicLink() ? 'a link' : 'no directory'
    const other: LocalState = stats ? { blocked: `${clean(path)} is ${kind} here` } : 'absent'
    const state = stats?.isDirectory() ? 'same' : other
    this.#directories.set(path, state)
    return state
  }

  async #isSame({ path, size, mode, digest }: StoredFile, source: string, stats: Stats) {
    if (!stats.isFile() || stats.size !== size) return false
    if (!this.#anyMode.has(path) && (stats.mode & 0o777) !== mode) return false
    return (await digestOf(source)) === digest
  }
}

const targetOf = async (path: string, stats: Stats) =>
  stats.isSymbolicLink() ? readlink(path) : undefined

/** Returns undefined for a file that cannot be read or is no longer a regular file. */
async function digestOf(path: string): Promise<string | undefined> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    await using file = await open(path, flags)
    if (!(await file.stat()).isFile()) return undefined
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk)
    return hash.digest('hex')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}
