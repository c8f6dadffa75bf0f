import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { broken, Failure, invalid } from '../../functions/core/errors.ts'
import { packed } from './archive.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { jsonLines } from './json-lines.ts'
import { ownLabel } from './labels.ts'
import { unlinkProgram } from './unlink.ts'

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

/** The image that helpers are made of: nothing but the program that deletes files. */
export const helperImage = 'container-stacks/files:1'

/** Where the directory is mounted in a helper. */
export const mountPoint = '/files'

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

async function keptHelper(client: EngineClient, root: string): Promise<string> {
  const name = `container-stacks-files-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`
  try {
    return (await inspectContainer(client, name)).Id
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    return await createHelper(client, { Binds: [`${root}:${mountPoint}`] }, {}, name)
  } catch (error) {
    // Another process was faster.
    if (error instanceof Failure && error.status === 409)
      return (await inspectContainer(client, name)).Id
    throw error
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

/** Makes a helper container, and the image first when it is not there. Gives its id. */
export async function createHelper(
  client: EngineClient,
  hostConfig: Record<string, unknown>,
  config: Record<string, unknown> = {},
  name?: string,
): Promise<string> {
  const create = () =>
    client.json<{ Id: string }>({
      method: 'POST',
      path: '/containers/create',
      query: { name },
      body: {
        Image: helperImage,
        Entrypoint: ['/unlink'],
        ...config,
        Labels: { [ownLabel]: 'files' },
        NetworkDisabled: true,
        HostConfig: { NetworkMode: 'none', ...hostConfig },
      },
    })
  try {
    return (await create()).Id
  } catch (error) {
    if (!isMissing(error)) throw error
    await importImage(client)
    return (await create()).Id
  }
}

/** Removes a helper container; one that is gone is done. */
export async function removeHelper(client: EngineClient, id: string): Promise<void> {
  try {
    await client.json({ method: 'DELETE', path: `/containers/${id}`, query: { force: true } })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function importImage(client: EngineClient): Promise<void> {
  const { Arch } = await client.json<{ Arch: string }>({ method: 'GET', path: '/version' })
  const program = unlinkProgram(Arch)
  const file = await packed(program ? [{ path: 'unlink', content: program, mode: 0o755 }] : [])
  const [repo, tag] = helperImage.split(':')
  const response = await client.stream({
    method: 'POST',
    path: '/images/create',
    query: { fromSrc: '-', repo, tag, changes: `LABEL ${ownLabel}=files` },
    file,
    deadline: 30_000,
  })
  for await (const line of jsonLines(response)) {
    if (line.error) throw broken(`The image for writing files could not be made: ${line.error}`)
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

const isMissing = (error: unknown) => error instanceof Failure && error.status === 404
