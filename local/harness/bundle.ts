import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { present } from '../../adapters/testing/present.ts'
import { partBytes } from '../../functions/core/records/upload.ts'
import complete from '../../functions/stacks/adopt/complete.ts'
import create from '../../functions/stacks/adopt/create.ts'
import putPart from '../../functions/stacks/adopt/parts/update.ts'
import { call } from './call.ts'
import { givenStack, type World } from './world.ts'

/** An entry of an archive: a raw header and the content. */
export type Entry = [header: Partial<Header> & { name: string }, content?: string | Buffer]

/** Returns a tar.gz of these entries. Invalid entries are not corrected. */
export async function archiveOf(entries: Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const [header, content = ''] of entries) archive.entry(header as Header, content as Buffer)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** Returns a bundle of plain files. */
export const bundleOf = (files: Record<string, string | Buffer>) =>
  archiveOf(Object.entries(files).map(([name, content]) => [{ name }, content]))

/** Creates a running project that belongs to no stack, with its files on the host. */
export async function givenProject(here: World, compose?: string) {
  await givenStack(here, 'shop', { compose })
  await here.ports.stacks.remove('shop')
}

/**
 * Starts an adoption and uploads the bundle.
 *
 * @param more the project, `shop` by default, and indexes of the parts to send, all by default
 */
export async function sendBundle(
  { ports }: Pick<World, 'ports'>,
  bundle: Buffer,
  { name = 'shop', parts }: { name?: string; parts?: number[] } = {},
) {
  const begun = await call(create, { ports, as: 'operator', body: { name, size: bundle.length } })
  if (begun.status !== 201) throw new Error(begun.text)
  const id = begun.json.adoption_id as string
  const all = Array.from({ length: Math.ceil(bundle.length / partBytes) }, (_, index) => index)
  for (const n of parts ?? all) {
    const data = bundle.subarray(n * partBytes, (n + 1) * partBytes).toString('base64')
    const sent = await call(putPart, { ports, as: 'operator', path: { id, n }, body: { data } })
    if (sent.status !== 204) throw new Error(sent.text)
  }
  return id
}

/** Completes an adoption with the digest of the bundle. */
export const completeAdoption = ({ ports }: Pick<World, 'ports'>, id: string, bundle: Buffer) =>
  call(complete, {
    ports,
    as: 'operator',
    path: { id },
    body: { sha256: createHash('sha256').update(bundle).digest('hex') },
  })

/** Runs a complete adoption. */
export async function runAdoption(here: World, bundle: Buffer) {
  return completeAdoption(here, await sendBundle(here, bundle), bundle)
}

/** Changes the labels and the `HostConfig` that a container was created with. */
export function changeContainer(
  { engine }: World,
  name: string,
  { Labels = {}, HostConfig = {} }: { Labels?: object; HostConfig?: object },
) {
  const container = [...engine.state.containers.values()].find((one) => one.name === name)
  if (!container) throw new Error(`there is no container ${name}`)
  const { body } = container
  container.body = {
    ...body,
    Labels: { ...(body.Labels as object), ...Labels },
    HostConfig: { ...(body.HostConfig as object), ...HostConfig },
  }
  // The newest container of a project determines its directory.
  container.createdAt = new Date(engine.state.containers.size + Date.now()).toISOString()
  engine.state.touch()
}

/**
 * Gives each container an image of its own with the same labels, as if the labels came from the
 * image.
 */
export function imagesHaveLabels({ engine: { state } }: World) {
  for (const container of state.containers.values()) {
    container.imageId = `sha256:${state.nextId()}`
    state.unnamed.add(container.imageId)
    state.imageLabels.set(container.imageId, { ...(container.body.Labels as object) })
  }
  state.touch()
}

/** Creates a stack `other` in the directory of `shop`, or in another. */
export async function givenStackInDirectory(here: World, directory = '/opt/stacks/shop') {
  await givenStack(here, 'other', { deployed: false })
  const other = await here.ports.stacks.find('other')
  await here.ports.stacks.replace({ ...present(other), directory })
}
