import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import { onRejection } from '../../functions/core/promises.ts'
import { Semaphore } from '../../functions/core/semaphore.ts'

/** A bare repository on the disk that may be thrown away at any time. */
export interface Copy {
  path: string
  /** Whether it was made for this user of it. */
  isNew: boolean
  /** Lets one user fetch at a time. */
  lock: Semaphore
  /** @param keep false if it is damaged or too large: it is removed after its last user */
  release(keep: boolean): Promise<void>
}

interface Kept {
  path: Promise<string>
  lock: Semaphore
  users: number
  isDropped: boolean
}

/** A run that was killed may write a last file while its directory is removed. */
const removal = { recursive: true, force: true, maxRetries: 5 }

/** The copies of this process. What an earlier one left is removed. */
export class Copies {
  readonly #directory: string
  readonly #most: number
  /** The one that was used last is the last. */
  readonly #kept = new Map<string, Kept>()
  #cleared: Promise<unknown> | undefined

  constructor(directory: string, most: number) {
    this.#directory = directory
    this.#most = most
  }

  /**
   * Returns a copy of what has this identity. It contains all that the copy depends on, also the
   * credentials: another account must not read what this one fetched.
   */
  async acquire(identity: unknown): Promise<Copy> {
    const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex')
    const known = this.#kept.get(key)
    const kept = known ?? { path: this.#make(), lock: new Semaphore(1), users: 0, isDropped: false }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users += 1
    let isReleased = false
    const release = async (keep: boolean) => {
      if (isReleased) return
      isReleased = true
      kept.users -= 1
      if (!keep) this.#drop(key, kept)
      await this.#tidy(kept)
    }
    try {
      return { path: await kept.path, isNew: known === undefined, lock: kept.lock, release }
    } catch (error) {
      await release(false)
      throw error
    }
  }

  async #make(): Promise<string> {
    await this.#clear()
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    return mkdtemp(join(this.#directory, 'repository-'))
  }

  /** Removes what an earlier process left. One that fails is repeated for the next copy. */
  #clear(): Promise<unknown> {
    this.#cleared ??= onRejection(rm(this.#directory, removal), () => {
      this.#cleared = undefined
    })
    return this.#cleared
  }

  #drop(key: string, kept: Kept): void {
    kept.isDropped = true
    if (this.#kept.get(key) === kept) this.#kept.delete(key)
  }

  async #tidy(kept: Kept): Promise<void> {
    for (const [key, one] of this.#kept) {
      if (this.#kept.size <= this.#most) break
      if (one.users > 0) continue
      this.#drop(key, one)
      await remove(one)
    }
    if (kept.isDropped && kept.users === 0) await remove(kept)
  }
}

/** One that cannot be removed is, with all others, when the service starts again. */
const remove = ({ path }: Kept) =>
  path.then((one) => rm(one, removal)).catch(ignoreError('remove a copy of a repository'))
