import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { partBytes } from '../../functions/core/adopt/adoption.ts'
import complete from '../../functions/stacks/adopt/complete.ts'
import create from '../../functions/stacks/adopt/create.ts'
import putPart from '../../functions/stacks/adopt/parts/update.ts'
import { call } from './call.ts'
import { givenStack, type World } from './world.ts'

/** An entry of an archive: its header as it stands, and its content. */
export type Entry = [header: Partial<Header> & { name: string }, content?: string | Buffer]

/** A tar.gz of these entries, however odd they are. */
export async function archiveOf(entries: Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const [header, content = ''] of entries) archive.entry(header as Header, content as Buffer)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

/** A bundle of plain files. */
export const bundleOf = (files: Record<string, string | Buffer>) =>
  archiveOf(Object.entries(files).map(([name, content]) => [{ name }, content]))

/** A running project that no stack knows of, with its files on the host. */
export async function givenProject(here: World, compose?: string) {
  await givenStack(here, 'shop', { compose })
  await here.ports.stacks.remove('shop')
}

/** Begins an adoption and sends the bundle, all of it unless told which parts. */
export async function sendBundle({ ports }: World, bundle: Buffer, parts?: number[]) {
  const begun = await call(create, {
    ...{ ports, as: 'operator' },
    body: { name: 'shop', size: bundle.length },
  })
  const id = begun.json.adoption_id as string
  const all = Array.from({ length: Math.ceil(bundle.length / partBytes) }, (_, index) => index)
  for (const n of parts ?? all) {
    const data = bundle.subarray(n * partBytes, (n + 1) * partBytes).toString('base64')
    const sent = await call(putPart, { ports, as: 'operator', path: { id, n }, body: { data } })
    if (sent.status !== 204) throw new Error(sent.text)
  }
  return id
}

/** Ends an adoption with the digest of the bundle. */
export const completed = ({ ports }: World, id: string, bundle: Buffer) =>
  call(complete, {
    ...{ ports, as: 'operator', path: { id } },
    body: { sha256: createHash('sha256').update(bundle).digest('hex') },
  })

/** The whole way. */
export async function adopted(here: World, bundle: Buffer) {
  return completed(here, await sendBundle(here, bundle), bundle)
}

/** Changes what a container was created with: its labels and its `HostConfig`. */
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
  // The newest of a project's containers says where it lives.
  container.createdAt = new Date(engine.state.containers.size + Date.now()).toISOString()
  engine.state.touch()
}

/** Gives each container an image of its own with the same labels, as if it had them from there. */
export function imagesHaveLabels({ engine: { state } }: World) {
  for (const container of state.containers.values()) {
    container.imageId = `sha256:${state.nextId()}`
    state.unnamed.add(container.imageId)
    state.imageLabels.set(container.imageId, { ...(container.body.Labels as object) })
  }
  state.touch()
}

/** Makes a stack `other` that lives in the directory of `shop`, or another. */
export async function givenStackInDirectory(here: World, directory = '/opt/stacks/shop') {
  await givenStack(here, 'other', { deployed: false })
  const other = await here.ports.stacks.find('other')
  await here.ports.stacks.replace({ ...other!, directory })
}
