import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Failure, invalid } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { isConflict, isMissing, unlessMissing } from './errors.ts'
import { createHelper, mountPoint, removeHelper } from './helper-container.ts'

/** A container that is never started, with a directory of the host in it: the Engine's archive calls reach its files. */
export interface Helper {
  id: string
  /** Where the directory that was asked for is in it. */
  base: string
  /** What `base` is relative to the mount: empty, or the way from the stacks directory. */
  inside: string
  /** The mounted directory, on the host. */
  mounted: string
}

/** Lends helpers. One for the stacks directory is kept on the Engine; others last as long as the work. */
export interface Helpers {
  /** `write` makes a missing directory; `read` gives undefined for one. */
  lend<T>(
    directory: string,
    purpose: 'read' | 'write',
    work: (helper: Helper) => Promise<T>,
  ): Promise<T | undefined>
  /** Removes the one that was kept, if any was. Another process that uses it makes it anew. */
  remove(): Promise<void>
}

/** Helpers on one Engine. `stacksDirectory` is absolute, on the host. */
export function helpers(client: EngineClient, stacksDirectory: string): Helpers {
  const root = checkedDirectory(stacksDirectory)
  let kept: Promise<string> | undefined

  const keptId = () => {
    kept ??= keptHelper(client, root).catch((error) => {
      kept = undefined
      throw error
    })
    return kept
  }

  async function lendKept<T>(inside: string, work: (helper: Helper) => Promise<T>): Promise<T> {
    const helper = async () => ({
      id: await keptId(),
      base: posix.join(mountPoint, inside),
      inside,
      mounted: root,
    })
    const first = await helper()
    try {
      return await work(first)
    } catch (error) {
      // Somebody may have pruned it; a missing file is a 404 as well.
      if (!isMissing(error) || !(await isGone(client, first.id))) throw error
      kept = undefined
      return work(await helper())
    }
  }

  return {
    async lend(directory, purpose, work) {
      const path = checkedDirectory(directory)
      const inside = posix.relative(root, path)
      if (inside !== '..' && !inside.startsWith('../')) return lendKept(inside, work)
      return lendOnce(client, path, purpose, work)
    },
    async remove() {
      const id = await kept?.catch(() => undefined)
      kept = undefined
      if (id) await removeHelper(client, id)
    },
  }
}

/** Milliseconds until the helper is looked for again, and how often it is. */
const pause = 50
const triesMax = 100

async function keptHelper(client: EngineClient, root: string): Promise<string> {
  const name = `container-stacks-files-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`
  // While another process makes it or removes it, its name is taken for a moment and it is not there.
  for (let tries = 1; ; tries += 1) {
    const there = await unlessMissing(inspectContainer(client, name))
    if (there) return there.Id
    try {
      return await createHelper(client, { Binds: [`${root}:${mountPoint}`] }, {}, name)
    } catch (error) {
      if (!isConflict(error) || tries === triesMax) throw error
    }
    await setTimeout(pause)
  }
}

async function lendOnce<T>(
  client: EngineClient,
  path: string,
  purpose: 'read' | 'write',
  work: (helper: Helper) => Promise<T>,
): Promise<T | undefined> {
  // A bind makes what is missing; a mount of type bind is refused then.
  const mount = { Type: 'bind', Source: path, Target: mountPoint, ReadOnly: true }
  const host = purpose === 'write' ? { Binds: [`${path}:${mountPoint}`] } : { Mounts: [mount] }
  let id: string
  try {
    id = await createHelper(client, host)
  } catch (error) {
    if (purpose === 'read' && error instanceof Failure && error.status === 400) return undefined
    throw error
  }
  try {
    return await work({ id, base: mountPoint, inside: '', mounted: path })
  } finally {
    await removeHelper(client, id)
  }
}

function checkedDirectory(directory: string): string {
  const path = posix.normalize(directory).replace(/(.)\/$/, '$1')
  // The colon separates the parts of a bind.
  if (!path.startsWith('/') || path === '/' || /[:\0]/.test(path)) {
    throw invalid(`${JSON.stringify(directory)} is not a directory that stacks can live in`)
  }
  return path
}

async function isGone(client: EngineClient, id: string): Promise<boolean> {
  return inspectContainer(client, id).then(() => false, isMissing)
}
