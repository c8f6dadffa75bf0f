import { Failure } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { ignoreResult, onRejection } from '../../../functions/core/promises.ts'
import { inspectContainer, isBeingRemoved } from '../inspect/container.ts'
import { EngineRefusal, isMissing, unlessMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { createHelper, mountPoint, removeHelper } from './helper-container.ts'
import { removeAbandonedHelpers } from './remove-abandoned.ts'

/** The only directory of the host that a helper can access. */
export interface HelperMount {
  path: string
  readOnly: boolean
}

/** A cache of helpers, so that the next use of a directory needs no new container. */
export interface CachedHelpers {
  /**
   * Runs work with the id of a helper that has the mount. Retries once with a new helper if the
   * first was removed from the Engine in the meantime. With a writable mount the Engine creates a
   * missing directory.
   */
  use<T>(mount: HelperMount, work: (id: string) => Promise<T>): Promise<T>
  /** Creates a helper in the background, for a use that is expected soon. Never fails. */
  prepare(mount: HelperMount): void
  /** Removes all cached helpers. */
  remove(): Promise<void>
}

/** Unused helpers in the cache; the least recently used ones are removed first. */
const cachedMax = 16
/** Milliseconds. How long an unused helper is kept. */
const idleAfter = 60_000

interface CachedHelper {
  id: Promise<string>
  users: number
  timer?: NodeJS.Timeout
}

/**
 * Returns the helpers of this process on one Engine: those in use, and up to sixteen others for a
 * minute after their last use.
 */
export function cachedHelpers(client: EngineClient): CachedHelpers {
  const cache = new Map<string, CachedHelper>()
  let hasTidied = false

  const make = async (mount: HelperMount) => {
    const id = await createHelper(client, hostConfig(mount))
    if (!hasTidied) ignoreResult(removeAbandonedHelpers(client, id), 'remove helper containers')
    hasTidied = true
    return id
  }
  const evict = async (key: string, one: CachedHelper) => {
    clearTimeout(one.timer)
    if (cache.get(key) === one) cache.delete(key)
    const id = await one.id.catch(ignoreError('create a helper container'))
    if (id) await removeHelper(client, id).catch(ignoreError('remove helper containers'))
  }
  const acquire = (mount: HelperMount): CachedHelper => {
    const key = keyOf(mount)
    const one = cache.get(key) ?? { id: make(mount), users: 0 }
    clearTimeout(one.timer)
    one.users += 1
    // The map is sorted by last use.
    cache.delete(key)
    cache.set(key, one)
    onRejection(one.id, () => {
      if (cache.get(key) === one) cache.delete(key)
    })
    return one
  }
  const release = (mount: HelperMount, one: CachedHelper) => {
    const key = keyOf(mount)
    one.users -= 1
    if (one.users > 0 || cache.get(key) !== one) return
    one.timer = setTimeout(() => ignoreResult(evict(key, one)), idleAfter).unref()
    const unused = [...cache].filter(([, { users }]) => users === 0)
    for (const [oldest, other] of unused.slice(0, -cachedMax)) ignoreResult(evict(oldest, other))
  }

  async function use<T>(mount: HelperMount, work: (id: string) => Promise<T>, again = true) {
    const one = acquire(mount)
    try {
      const id = await one.id
      return await work(id).catch(async (error): Promise<T> => {
        // A 404 can also mean a missing file.
        if (!again || !mayBeGone(error) || !(await isGone(client, id))) throw error
        if (cache.get(keyOf(mount)) === one) cache.delete(keyOf(mount))
        return use(mount, work, false)
      })
    } finally {
      release(mount, one)
    }
  }

  return {
    use,
    prepare(mount) {
      ignoreResult(
        use(mount, async () => {}),
        'create a helper container',
      )
    },
    async remove() {
      await Promise.all([...cache].map(([key, one]) => evict(key, one)))
    },
  }
}

const keyOf = ({ path, readOnly }: HelperMount) => `${readOnly ? 'r' : 'w'}${path}`

/** The Engine creates a missing source of `Binds`, and refuses a missing one of `Mounts`. */
function hostConfig({ path, readOnly }: HelperMount) {
  if (!readOnly) return { Binds: [`${path}:${mountPoint}`] }
  return { Mounts: [{ Type: 'bind', Source: path, Target: mountPoint, ReadOnly: true }] }
}

/** Since Docker 25 the Engine answers 500 for the files of a container that is being removed. */
const mayBeGone = (error: unknown): boolean =>
  isMissing(error) || (error instanceof Failure && error.cause instanceof EngineRefusal)

/** Returns whether a container is missing or being removed. */
async function isGone(client: EngineClient, id: string): Promise<boolean> {
  const found = await unlessMissing(inspectContainer(client, id))
  return !found || isBeingRemoved(found)
}
