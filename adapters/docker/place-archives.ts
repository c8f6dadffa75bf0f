import { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { FilePlace } from '../../functions/core/engine/archives.ts'
import { broken, Failure, invalid, notFound } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { onAbort } from './deadline.ts'
import { failureOf } from './errors.ts'
import { createHelper, type HelperConfig, removeHelper } from './helper-container.ts'
import { checkedId } from './ids.ts'
import { isHelper, ownerLabel } from './labels.ts'

/** Where the place is mounted in its helper: archives name it so. */
const mountPoint = '/data'
/** Milliseconds in which something must come, or go. */
const stallDeadline = 60_000

/** The archive of a place. The helper is made when it is read and goes with it. */
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
  // What is wrong with the archive is told rather than what the Engine says of a call that broke off.
  let wrong: Error | undefined
  file.on('error', (error) => {
    wrong = error
    stop.abort(error)
  })
  try {
    await client.json({
      ...{ method: 'PUT', path: `/containers/${id}/archive`, query: { path: '/' } },
      ...{ file, signal: stop.signal, deadline: null },
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
export async function tidyArchives(client: EngineClient, owner: string): Promise<void> {
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

/** A container with the place in it, which is not started here. */
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
  // A bind makes what is missing; a mount of type bind is refused then.
  const host =
    purpose === 'write'
      ? { Binds: [`${path}:${mountPoint}`] }
      : { Mounts: [{ Type: 'bind', Source: path, Target: mountPoint, ReadOnly: true }] }
  try {
    return await createHelper(client, host, labels)
  } catch (error) {
    if (purpose === 'read' && error instanceof Failure && error.status === 400) {
      throw notFound(`${path} is not there on host ${client.host}`, { cause: error })
    }
    throw error
  }
}

/** The Engine makes a volume that is missing: one that went in the very moment is noticed by its age, and not left. */
async function helperOfVolume(
  client: EngineClient,
  name: string,
  purpose: 'read' | 'write',
  config: HelperConfig,
): Promise<string> {
  const path = `/volumes/${checkedId('volume', name)}`
  const look = () => client.json<{ CreatedAt?: string }>({ method: 'GET', path })
  const before = await look()
  const ReadOnly = purpose === 'read'
  const volume = { Type: 'volume', Source: name, Target: mountPoint, ReadOnly }
  const mount = { ...volume, VolumeOptions: { NoCopy: true } }
  const id = await createHelper(client, { Mounts: [mount] }, config)
  const after = await look()
  if (before.CreatedAt === after.CreatedAt) return id
  await removeHelper(client, id)
  await client.json({ method: 'DELETE', path }).catch(() => {})
  throw notFound(`volume ${name} was removed meanwhile`)
}

function checkedPath(path: string): string {
  // The colon separates the parts of a bind.
  if (!path.startsWith('/') || /[:\0]/.test(path) || path.split('/').includes('..')) {
    throw invalid(`${JSON.stringify(path)} is not a directory of a host`)
  }
  return path
}

/** What comes, as it comes; a connection on which nothing comes any more is lost. */
async function* arriving(source: Readable, host: string, signal: AbortSignal) {
  const silent = broken(`The Docker Engine of host ${host} sent nothing for a minute`)
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
