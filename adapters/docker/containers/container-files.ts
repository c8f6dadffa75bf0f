import { conflict, Failure, notFound } from '../../../functions/core/errors.ts'
import type { ContainerPath } from '../../../functions/core/records/container-path.ts'
import { shownContainer } from '../inspect/container.ts'
import { statPath } from '../inspect/path-stat.ts'
import type { EngineClient } from '../transport/client.ts'

/** Milliseconds without a response after which a transfer has stalled. */
const stallDeadline = 60_000

/**
 * Returns what a path in a container is. The Engine resolves it within the container.
 *
 * @throws 404 if there is no such container or path
 */
export async function statContainerPath(
  client: EngineClient,
  id: string,
  path: string,
): Promise<ContainerPath> {
  const { Id } = await shownContainer(client, id)
  const found = await statPath(client, Id, path)
  if (!found) throw notFound(`container ${id}: there is no ${path}`)
  const { kind, size, mode, linkTarget } = found
  return { kind, size, mode: mode & 0o777, linkTarget }
}

/** Yields the tar archive of a path in a container, which need not run. */
export async function* readContainerPath(
  client: EngineClient,
  id: string,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const { Id } = await shownContainer(client, id)
  const source = await client.stream({
    method: 'GET',
    path: `/containers/${Id}/archive`,
    query: { path },
    signal,
    deadline: stallDeadline,
  })
  try {
    for await (const chunk of source) yield chunk as Uint8Array
  } finally {
    source.destroy()
  }
}

/**
 * Unpacks a tar archive into a directory of a container, which need not run.
 *
 * @throws 404 if there is no such container or directory, 409 if the place is mounted read-only or
 *   a file would replace a directory or the other way round
 */
export async function writeContainerPath(
  client: EngineClient,
  id: string,
  directory: string,
  archive: Buffer,
): Promise<void> {
  const { Id } = await shownContainer(client, id)
  const query = { path: directory, noOverwriteDirNonDir: true }
  try {
    await client.json({
      method: 'PUT',
      path: `/containers/${Id}/archive`,
      query,
      file: archive,
      deadline: stallDeadline,
    })
  } catch (cause) {
    // The Engine answers 500 for all of them.
    const text = cause instanceof Failure ? cause.message : ''
    if (/is read-only$|the other way round$/.test(text))
      throw conflict(text, { reason: 'conflict', cause })
    if (/is not a directory$/.test(text)) throw notFound(text, { cause })
    throw cause
  }
}
