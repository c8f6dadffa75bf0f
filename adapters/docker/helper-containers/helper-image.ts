import { createHash } from 'node:crypto'
import type Docker from 'dockerode'
import { internalError } from '../../../functions/core/errors.ts'
import { onRejection } from '../../../functions/core/promises.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { inspectImage } from '../inspect/image.ts'
import { enginePlatform } from '../inspect/platform.ts'
import { helperImage } from '../names/labels.ts'
import { unlinkProgram } from '../programs/programs.ts'
import { streamFailure } from '../responses/errors.ts'
import { jsonLines, type ProgressLine } from '../responses/json-lines.ts'
import type { EngineClient } from '../transport/client.ts'

/** The ids of the helper image, by connection. */
const known = new WeakMap<EngineClient, Promise<string>>()

/**
 * Returns the id of the helper image, which only contains the program that deletes files. An id
 * stands for one content, a name for the last image that was tagged. So an image of that name is
 * only used if its content is identical to ours, byte by byte; otherwise ours is imported.
 */
export function helperImageId(client: EngineClient): Promise<string> {
  const found = known.get(client) ?? findOrImport(client)
  known.set(client, found)
  return onRejection(found, () => forgetHelperImage(client))
}

/** Drops the cached id because the image is gone from the Engine. */
export function forgetHelperImage(client: EngineClient): void {
  known.delete(client)
}

async function findOrImport(client: EngineClient): Promise<string> {
  const { Arch } = await enginePlatform(client)
  const program = unlinkProgram(Arch)
  const files = program ? [{ path: 'unlink', content: program, mode: 0o755 }] : []
  // The same bytes each time, so that their digest identifies the single layer of the image.
  const archive = await tarOf(files.map((file) => ({ ...file, modified: new Date(0) })))
  const named = await inspectImage(client, helperImage)
  return named && isOurs(named, archive) ? named.Id : importImage(client, archive)
}

/** Settings that an image can have for its containers. The helper image has none. */
const settings = [
  ...['Volumes', 'Env', 'Entrypoint', 'Cmd', 'OnBuild', 'Healthcheck', 'User'],
  ...['WorkingDir', 'Labels', 'ExposedPorts', 'Shell', 'StopSignal'],
]

/** Returns whether an image has exactly this layer and no settings. */
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

const notImported = ({ host }: EngineClient) =>
  `The Docker Engine of host ${host} did not import the helper image (POST /images/create)`

async function importImage(client: EngineClient, archive: Buffer): Promise<string> {
  const [repo, tag] = helperImage.split(':')
  const answer = await client.text({
    method: 'POST',
    path: '/images/create',
    query: { fromSrc: '-', repo, tag },
    file: archive,
    deadline: 30_000,
  })
  let id = ''
  for await (const line of jsonLines<ProgressLine>([Buffer.from(answer)])) {
    if (line.error) throw streamFailure(String(line.error), notImported(client))
    if (/^sha256:[0-9a-f]{64}$/.test(line.status ?? '')) id = line.status ?? ''
  }
  if (!id) throw internalError(notImported(client), { reason: 'engine-failed' })
  return id
}
