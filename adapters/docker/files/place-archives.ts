import { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { Failure, internalError, invalid, notFound } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { FilePlace } from '../../../functions/core/records/host-engine.ts'
import {
  createHelper,
  type HelperConfig,
  removeHelper,
} from '../helper-containers/helper-container.ts'
import { checkedId } from '../names/ids.ts'
import { isHelper, ownerLabel } from '../names/labels.ts'
import { failureOf } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { onAbort } from '../transport/deadline.ts'

/** The path at which the place is mounted in its helper. It is the root of its archives. */
export const mountPoint = '/data'
/** Milliseconds without data after which a transfer has stalled. */
const stallDeadline = 60_000

/** Yields the archive of a place. Its helper is created for this and removed afterwards. */
export async function* readArchive(
  client: EngineClient,
  place: FilePlace,
  owner: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const id = await helperOf(client, place, owner, 'read')
  try {
    const path = `/containers/${id}/archive`
    const query = { path: mountPoint }
    const deadline = stallDeadline
    const source = await client.stream({ method: 'GET', path, query, signal, deadline })
    yield* arriving(source, client.host, signal)
  } finally {
    await removeHelper(client, id)
  }
}

/** Unpacks an archive into a place. */
export async function writeArchive(
  client: EngineClient,
  place: FilePlace,
  archive: AsyncIterable<Uint8Array>,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  const id = await helperOf(client, place, owner, 'write')
  const file = Readable.from(archive, { objectMode: false, highWaterMark: 1024 * 1024 })
  const stop = new AbortController()
  const unfollow = onAbort(signal, () => stop.abort(signal.reason))
  // An error in the archive is reported rather than the Engine's error for the broken call.
  let wrong: Error | undefined
  file.on('error', (error) => {
    wrong = error
    stop.abort(error)
  })
  try {
    await client.json({
      method: 'PUT',
      path: `/containers/${id}/archive`,
      query: { path: '/' },
      file,
      signal: stop.signal,
      deadline: null,
    })
  } catch (error) {
    throw wrong ?? error
  } finally {
    unfollow()
    file.destroy()
    await removeHelper(client, id)
  }
}

/** Removes the helpers that an owner left behind when its process died. */
export async function removeArchiveHelpers(client: EngineClient, owner: string): Promise<void> {
  const filters = { label: [`${ownerLabel}=${owner}`] }
  const left = await client.json<Docker.ContainerInfo[]>({
    method: 'GET',
    path: '/containers/json',
    query: { all: true, filters },
  })
  // An image can have such a label.
  const helpers = left.filter(({ Names, Labels }) => isHelper(Names[0] ?? '', Labels))
  await Promise.all(helpers.map(({ Id }) => removeHelper(client, Id)))
}

/** Creates a container with the place mounted. Does not start it. */
export async function helperOf(
  client: EngineClient,
  place: FilePlace,
  owner: string,
  purpose: 'read' | 'write',
  config: HelperConfig = {},
): Promise<string> {
  const labels = { ...config, Labels: { [ownerLabel]: owner } }
  if (place.kind === 'volume') return helperOfVolume(client, place.name, purpose, labels)
  const path = checkedPath(place.path)
  // `Binds` creates a missing directory; a mount of type bind is refused instead.
  const host =
    purpose === 'write'
      ? { Binds: [`${path}:${mountPoint}`] }
      : { Mounts: [{ Type: 'bind', Source: path, Target: mountPoint, ReadOnly: true }] }
  try {
    return await createHelper(client, host, labels)
  } catch (error) {
    if (purpose === 'read' && error instanceof Failure && error.status === 400) {
      throw notFound(`${path} does not exist on host ${client.host}`, { cause: error })
    }
    throw error
  }
}

/**
 * The Engine creates a missing volume. If the volume was removed just before, its creation time
 * reveals that, and the new one is removed.
 */
async function helperOfVolume(
  client: EngineClient,
  name: string,
  purpose: 'read' | 'write',
  config: HelperConfig,
): Promise<string> {
  const path = `/volumes/${checkedId('volume', name)}`
  const inspectVolume = () => client.json<{ CreatedAt?: string }>({ method: 'GET', path })
  const before = await inspectVolume()
  const ReadOnly = purpose === 'read'
  const volume = { Type: 'volume', Source: name, Target: mountPoint, ReadOnly }
  const mount = { ...volume, VolumeOptions: { NoCopy: true } }
  const id = await createHelper(client, { Mounts: [mount] }, config)
  const after = await inspectVolume()
  if (before.CreatedAt === after.CreatedAt) return id
  await removeHelper(client, id)
  await client.json({ method: 'DELETE', path }).catch(ignoreError('remove a volume that came back'))
  throw notFound(`volume ${name} was removed in the meantime`)
}

function checkedPath(path: string): string {
  // A colon separates the parts of a bind.
  if (!path.startsWith('/') || /[:\0]/.test(path) || path.split('/').includes('..')) {
    throw invalid(`${JSON.stringify(path)} is not a directory of a host`)
  }
  return path
}

/** Yields chunks as they arrive. Fails when nothing arrives for a minute. */
async function* arriving(source: Readable, host: string, signal: AbortSignal) {
  const silent = internalError(`The Docker Engine of host ${host} sent nothing for a minute`, {
    reason: 'engine-busy',
  })
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => source.destroy(silent), stallDeadline)
  }
  try {
    wait()
    for await (const chunk of source) {
      clearTimeout(timer)
      yield chunk as Uint8Array
      wait()
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof Failure ? error : failureOf(error, { host, step: 'GET archive' })
  } finally {
    clearTimeout(timer)
    source.destroy()
  }
}
