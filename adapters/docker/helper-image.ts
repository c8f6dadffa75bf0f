import { createHash } from 'node:crypto'
import type Docker from 'dockerode'
import { broken } from '../../functions/core/errors.ts'
import { ignoreResult } from '../../functions/core/promises.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import type { EngineClient } from './client.ts'
import { inspectImage } from './images.ts'
import { jsonLines } from './json-lines.ts'
import { helperImage } from './labels.ts'
import { unlinkProgram } from './unlink.ts'

/** The ids of the image on the Engines of this process, by connection. */
const known = new WeakMap<EngineClient, Promise<string>>()

/**
 * Returns the id of the image that helpers are made of: nothing but the program that deletes files. An id stands for one
 * content, a name for whatever was tagged last: what has the name is taken only when its content is ours to the byte,
 * else it is imported.
 */
export function helperImageId(client: EngineClient): Promise<string> {
  const found = known.get(client) ?? findOrImport(client)
  known.set(client, found)
  ignoreResult(found.catch(() => forgetHelperImage(client)))
  return found
}

/** Forgets the id: the image is gone from the Engine. */
export function forgetHelperImage(client: EngineClient): void {
  known.delete(client)
}

async function findOrImport(client: EngineClient): Promise<string> {
  const { Arch } = await client.json<{ Arch: string }>({ method: 'GET', path: '/version' })
  const program = unlinkProgram(Arch)
  const files = program ? [{ path: 'unlink', content: program, mode: 0o755 }] : []
  // The same bytes each time: their digest is that of the image's one layer.
  const archive = await tarOf(files.map((file) => ({ ...file, modified: new Date(0) })))
  const named = await inspectImage(client, helperImage)
  return named && isOurs(named, archive) ? named.Id : importImage(client, archive)
}

/** What an image may say of the containers made of it; a helper's image says none of it. */
const settings = [
  ...['Volumes', 'Env', 'Entrypoint', 'Cmd', 'OnBuild', 'Healthcheck', 'User'],
  ...['WorkingDir', 'Labels', 'ExposedPorts', 'Shell', 'StopSignal'],
]

/** Returns true for an image of exactly this layer, which asks for nothing besides. */
export function isOurs(image: Docker.ImageInspectInfo, archive: Uint8Array): boolean {
  const digest = `sha256:${createHash('sha256').update(archive).digest('hex')}`
  const layers = image.RootFS?.Layers ?? []
  const config: Record<string, unknown> = { ...image.Config }
  return (
    layers.length === 1 && layers[0] === digest && settings.every((key) => isEmpty(config[key]))
  )
}

const isEmpty = (value: unknown) =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0)

async function importImage(client: EngineClient, archive: Buffer): Promise<string> {
  const [repo, tag] = helperImage.split(':')
  const response = await client.stream({
    method: 'POST',
    path: '/images/create',
    query: { fromSrc: '-', repo, tag },
    file: archive,
    deadline: 30_000,
  })
  let id = ''
  for await (const line of jsonLines(response)) {
    if (line.error) throw broken(`The image for writing files could not be made: ${line.error}`)
    if (/^sha256:[0-9a-f]{64}$/.test(line.status ?? '')) id = line.status ?? ''
  }
  if (!id) throw broken('The image for writing files could not be made: the Engine named no image')
  return id
}
