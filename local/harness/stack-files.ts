import { createHash } from 'node:crypto'
import { partBytes } from '../../functions/core/records/upload.ts'
import getFile from '../../functions/stacks/file/get.ts'
import removeFile from '../../functions/stacks/file/remove.ts'
import putFile from '../../functions/stacks/file/update.ts'
import listFiles from '../../functions/stacks/files/list.ts'
import complete from '../../functions/stacks/uploads/complete.ts'
import startUpload from '../../functions/stacks/uploads/create.ts'
import putPart from '../../functions/stacks/uploads/parts/update.ts'
import { call } from './call.ts'
import type { TestCaller } from './sign-in.ts'
import type { World } from './world.ts'

const shop = { name: 'shop' }

/** The role of a caller that changes stacks but does not read their secrets. */
export const editor = { username: 'eve', role: 'editor' }

/** Adds that role. */
export async function givenEditor({ ports }: World) {
  const permissions = ['stacks:read' as const, 'stacks:create' as const, 'stacks:update' as const]
  await ports.roles.create({ id: 'editor', permissions, createdAt: 0 })
}

/** Calls to the files of the stack `shop`. */
export const filesOf = ({ ports }: World, as: TestCaller = 'operator') => ({
  list: () => call(listFiles, { ports, as, path: shop }),
  get: (path: string) => call(getFile, { ports, as, path: shop, query: { path } }),
  put: (path: string, body: string | object) =>
    call(putFile, {
      ports,
      as,
      path: shop,
      query: { path },
      body: typeof body === 'string' ? { content: body } : body,
    }),
  remove: (path: string, revision?: number) =>
    call(removeFile, { ports, as, path: shop, query: { path, revision } }),
})

/** Starts an upload of a bundle to the stack `shop` and sends its parts. Returns its id. */
export async function sendUpload(
  { ports }: World,
  bundle: Buffer,
  { as = 'operator' as TestCaller, revision = undefined as number | undefined } = {},
): Promise<string> {
  const body = { size: bundle.length, revision }
  const begun = await call(startUpload, { ports, as, path: shop, body })
  if (begun.status !== 201) throw new Error(begun.text)
  const id = begun.json.upload_id as string
  for (let n = 0; n < Math.ceil(bundle.length / partBytes); n += 1) {
    const data = bundle.subarray(n * partBytes, (n + 1) * partBytes).toString('base64')
    const sent = await call(putPart, { ports, as, path: { ...shop, id, n }, body: { data } })
    if (sent.status !== 204) throw new Error(sent.text)
  }
  return id
}

/** Completes an upload with the digest of the bundle. */
export const completeUpload = (
  { ports }: World,
  id: string,
  bundle: Buffer,
  { as = 'operator' as TestCaller, remove = undefined as string[] | undefined } = {},
) =>
  call(complete, {
    ports,
    as,
    path: { ...shop, id },
    body: { sha256: createHash('sha256').update(bundle).digest('hex'), remove },
  })

/** Uploads a bundle to the stack `shop`. */
export async function uploadFiles(here: World, bundle: Buffer, remove?: string[]) {
  return completeUpload(here, await sendUpload(here, bundle), bundle, { remove })
}
