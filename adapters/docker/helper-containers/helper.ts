import { posix } from 'node:path'
import { conflict, Failure, invalid } from '../../../functions/core/errors.ts'
import type { FoundLink } from '../../../functions/core/records/host-engine.ts'
import { inspectContainer } from '../inspect/container.ts'
import { componentsOf, linksAmong, statPath } from '../inspect/path-stat.ts'
import type { EngineClient } from '../transport/client.ts'
import { cachedHelpers } from './cached-helpers.ts'
import { createHelper, mountPoint, removeHelper } from './helper-container.ts'

/**
 * A container that is never started, with a mounted directory of the host. The Engine's archive
 * calls access its files.
 */
export interface Helper {
  id: string
  /** The path of the requested directory in the container. */
  base: string
  /** `base` relative to the mount: empty, or the path inside the directory of the stack. */
  inside: string
  /** The mounted directory, as a path of the host: that of a stack, or the requested one. */
  mounted: string
  /** True if `mounted` is a direct child of the stacks directory. */
  isStack: boolean
}

/**
 * Provides helper containers. Those for stacks are cached for a while; others are removed after the
 * work.
 */
export interface Helpers {
  /** The stacks directory. */
  readonly root: string
  /**
   * Runs work with a helper for a directory. `write` creates a missing directory; `read` returns
   * undefined if it is missing. A helper can access one stack only.
   *
   * @throws 409 if the directory of the stack, or one between it and the requested directory, is a
   *   link
   */
  lend<T>(
    directory: string,
    purpose: 'read' | 'write',
    work: (helper: Helper) => Promise<T>,
  ): Promise<T | undefined>
  /**
   * Returns whether each component of the path below the stacks directory is a directory and not a
   * link.
   */
  isRealDirectory(path: string): Promise<boolean>
  /**
   * Checks a path that may be in the stacks directory.
   *
   * @throws 409 if the directory of the stack is a link
   */
  refuseLink(path: string): Promise<void>
  /** Removes the cached helpers. */
  remove(): Promise<void>
}

/** Returns helpers on one Engine. `stacksDirectory` is an absolute path on the host. */
export function helpers(client: EngineClient, stacksDirectory: string): Helpers {
  const root = checkedDirectory(stacksDirectory)
  const cached = cachedHelpers(client)

  /**
   * Returns what a name in the stacks directory is. Uses a read-only helper and reads nothing below
   * the name.
   */
  const statInRoot = (name: string) =>
    cached
      .use({ path: root, readOnly: true }, async (id) => {
        const stat = await statPath(client, id, posix.join(mountPoint, name))
        // Throws if the helper itself is gone; `use` then creates another one.
        if (!stat) await inspectContainer(client, id)
        return stat
      })
      .catch(unlessNoDirectory)

  /**
   * Like `statInRoot`.
   *
   * @throws 409 if the name is a link
   */
  const statUnlessLink = async (name: string) => {
    const stat = await statInRoot(name)
    if (stat?.kind !== 'link') return stat
    throw linkConflict(root, { path: name, target: stat.linkTarget }, client)
  }

  async function lendCached<T>(
    name: string,
    inside: string,
    purpose: 'read' | 'write',
    work: (helper: Helper) => Promise<T>,
  ): Promise<T | undefined> {
    const mounted = posix.join(root, name)
    const mount = { path: mounted, readOnly: false }
    if (!(await statUnlessLink(name)) && purpose === 'read') {
      // A write is likely to follow: prepare the helper in parallel. This does not create the
      // directory.
      cached.prepare(mount)
      return undefined
    }
    return cached.use(mount, async (id) => {
      const [link] = await linksAmong(client, id, mountPoint, componentsOf([inside]))
      if (link) throw linkConflict(mounted, link, client)
      return work({ id, base: posix.join(mountPoint, inside), inside, mounted, isStack: true })
    })
  }

  return {
    root,
    async lend(directory, purpose, work) {
      const path = checkedDirectory(directory)
      const [name, ...rest] = belowRoot(root, path)
      if (name !== undefined) return lendCached(name, rest.join('/'), purpose, work)
      return lendOnce(client, path, purpose, work)
    },
    async isRealDirectory(path) {
      const [name, ...rest] = belowRoot(root, checkedDirectory(path))
      if (name === undefined || (await statInRoot(name))?.kind !== 'directory') return false
      if (rest.length === 0) return true
      const inside = rest.join('/')
      const mount = { path: posix.join(root, name), readOnly: false }
      return cached.use(mount, async (id) => {
        const [link] = await linksAmong(client, id, mountPoint, componentsOf([inside]))
        return (
          !link &&
          (await statPath(client, id, posix.join(mountPoint, inside)))?.kind === 'directory'
        )
      })
    },
    async refuseLink(path) {
      const [name] = belowRoot(root, checkedDirectory(path))
      if (name !== undefined) await statUnlessLink(name)
    },
    remove: () => cached.remove(),
  }
}

/**
 * Returns the names between the stacks directory and a path; none for the stacks directory itself
 * and for paths outside it.
 */
function belowRoot(root: string, path: string): string[] {
  const names = posix.relative(root, path).split('/')
  return names[0] === '..' || names[0] === '' ? [] : names
}

/** Returns the 409 for a symbolic link on the way to a file. */
export function linkConflict(
  directory: string,
  { path, target }: FoundLink,
  { host }: EngineClient,
) {
  return conflict(
    `${path} in ${directory} on host ${host} is a link to ${target}: links in a stack directory are not followed, ` +
      'replace it by a directory or a file',
  )
}

async function lendOnce<T>(
  client: EngineClient,
  path: string,
  purpose: 'read' | 'write',
  work: (helper: Helper) => Promise<T>,
): Promise<T | undefined> {
  // `Binds` creates a missing directory; a mount of type bind is refused instead.
  const mount = { Type: 'bind', Source: path, Target: mountPoint, ReadOnly: true }
  const host = purpose === 'write' ? { Binds: [`${path}:${mountPoint}`] } : { Mounts: [mount] }
  let id: string
  try {
    id = await createHelper(client, host)
  } catch (error) {
    if (purpose === 'read') return unlessNoDirectory(error)
    throw error
  }
  try {
    return await work({ id, base: mountPoint, inside: '', mounted: path, isStack: false })
  } finally {
    await removeHelper(client, id)
  }
}

/** Returns undefined for the Engine's error about a missing mount source; rethrows other errors. */
function unlessNoDirectory(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status !== 400) throw error
}

function checkedDirectory(directory: string): string {
  const path = posix.normalize(directory).replace(/(.)\/$/, '$1')
  // A colon separates the parts of a bind.
  if (!path.startsWith('/') || path === '/' || /[:\0]/.test(path)) {
    throw invalid(`${JSON.stringify(directory)} cannot be the directory of a stack`)
  }
  return path
}
