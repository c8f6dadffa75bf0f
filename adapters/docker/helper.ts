import { posix } from 'node:path'
import type { FoundLink } from '../../functions/core/engine/engine.ts'
import { conflict, Failure, invalid } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { createHelper, mountPoint, removeHelper } from './helper-container.ts'
import { keptHelpers } from './kept-helpers.ts'
import { componentsOf, linksAmong, lookAt } from './look-at.ts'

/** A container that is never started, with a directory of the host in it: the Engine's archive calls reach its files. */
export interface Helper {
  id: string
  /** Where the directory that was asked for is in it. */
  base: string
  /** What `base` is relative to the mount: empty, or the way from the stack's directory. */
  inside: string
  /** The mounted directory, on the host: that of a stack, or the one that was asked for. */
  mounted: string
  /** True when `mounted` is a directory in the stacks directory. */
  isStack: boolean
}

/** Lends helpers. Those of stacks in the stacks directory are kept for a while; others last as long as the work. */
export interface Helpers {
  /**
   * `write` makes a missing directory; `read` returns undefined for one. A helper sees one stack's directory and no other.
   *
   * @throws 409 if the stack's directory, or a directory below it that leads to the one asked for, is a link
   */
  lend<T>(
    directory: string,
    purpose: 'read' | 'write',
    work: (helper: Helper) => Promise<T>,
  ): Promise<T | undefined>
  /** Returns true if each component of the path below the stacks directory is a directory and no link. */
  isRealDirectory(path: string): Promise<boolean>
  /** Throws a `Failure` 409 if the path lies in the stacks directory, and the directory there is a link. */
  refuseLink(path: string): Promise<void>
  /** Removes the helpers that are kept. */
  remove(): Promise<void>
}

/** Helpers on one Engine. `stacksDirectory` is absolute, on the host. */
export function helpers(client: EngineClient, stacksDirectory: string): Helpers {
  const root = checkedDirectory(stacksDirectory)
  const kept = keptHelpers(client)

  /** What a name in the stacks directory is. The helper for it can only read, and nothing below the name is asked for. */
  const lookAtStack = (name: string) =>
    kept
      .use({ path: root, readOnly: true }, async (id) => {
        const look = await lookAt(client, id, posix.join(mountPoint, name))
        // It is not missing because the helper is: then this throws, and another is made.
        if (!look) await inspectContainer(client, id)
        return look
      })
      .catch(unlessNoDirectory)

  /** The same, or a `Failure` 409 for a link. */
  const lookAtReal = async (name: string) => {
    const look = await lookAtStack(name)
    if (look?.kind !== 'link') return look
    throw linked(root, { path: name, target: look.linkTarget }, client)
  }

  async function lendKept<T>(
    name: string,
    inside: string,
    purpose: 'read' | 'write',
    work: (helper: Helper) => Promise<T>,
  ): Promise<T | undefined> {
    const mounted = posix.join(root, name)
    const mount = { path: mounted, readOnly: false }
    if (!(await lookAtReal(name)) && purpose === 'read') {
      // What is about to be written needs one: it is made beside the rest. The directory is not.
      kept.prepare(mount)
      return undefined
    }
    return kept.use(mount, async (id) => {
      const [link] = await linksAmong(client, id, mountPoint, componentsOf([inside]))
      if (link) throw linked(mounted, link, client)
      return work({ id, base: posix.join(mountPoint, inside), inside, mounted, isStack: true })
    })
  }

  return {
    async lend(directory, purpose, work) {
      const path = checkedDirectory(directory)
      const [name, ...rest] = belowRoot(root, path)
      if (name !== undefined) return lendKept(name, rest.join('/'), purpose, work)
      return lendOnce(client, path, purpose, work)
    },
    async isRealDirectory(path) {
      const [name, ...rest] = belowRoot(root, checkedDirectory(path))
      if (name === undefined || (await lookAtStack(name))?.kind !== 'directory') return false
      if (rest.length === 0) return true
      const inside = rest.join('/')
      const mount = { path: posix.join(root, name), readOnly: false }
      return kept.use(mount, async (id) => {
        const [link] = await linksAmong(client, id, mountPoint, componentsOf([inside]))
        return (
          !link && (await lookAt(client, id, posix.join(mountPoint, inside)))?.kind === 'directory'
        )
      })
    },
    async refuseLink(path) {
      const [name] = belowRoot(root, checkedDirectory(path))
      if (name !== undefined) await lookAtReal(name)
    },
    remove: () => kept.remove(),
  }
}

/** The names from the stacks directory down to a path; none for the stacks directory itself and for what lies elsewhere. */
function belowRoot(root: string, path: string): string[] {
  const names = posix.relative(root, path).split('/')
  return names[0] === '..' || names[0] === '' ? [] : names
}

/** 409: something that leads to a file is a link. */
export function linked(directory: string, { path, target }: FoundLink, { host }: EngineClient) {
  return conflict(
    `${path} in ${directory} on host ${host} is a link to ${target}: links in a stack's directory are not followed, ` +
      'replace it by a directory or a file',
  )
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
    if (purpose === 'read') return unlessNoDirectory(error)
    throw error
  }
  try {
    return await work({ id, base: mountPoint, inside: '', mounted: path, isStack: false })
  } finally {
    await removeHelper(client, id)
  }
}

/** The Engine's answer to a mount of a directory that is missing. */
function unlessNoDirectory(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status !== 400) throw error
}

function checkedDirectory(directory: string): string {
  const path = posix.normalize(directory).replace(/(.)\/$/, '$1')
  // The colon separates the parts of a bind.
  if (!path.startsWith('/') || path === '/' || /[:\0]/.test(path)) {
    throw invalid(`${JSON.stringify(directory)} is not a directory that stacks can live in`)
  }
  return path
}
