import type { HostId } from '../host-ids.ts'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import type { NewStack } from './new-stack.ts'
import { asProblem, RequestError } from './problem.ts'
import { splitFiles } from './split-files.ts'
import type { PackedFile } from './tar.ts'
import { base64Of, packBundle, sendParts } from './upload.ts'

type Stack = components['schemas']['Stack']
export type AdoptedStack = components['schemas']['AdoptedStack']

/** The directory of a new stack. */
export interface Folder {
  name: string
  host?: HostId | undefined
  compose: string
  env?: string | undefined
  overlays: Readonly<Record<string, string>>
  /** Everything else. */
  files: readonly PackedFile[]
}

/**
 * Creates a stack with its files. Those that do not fit into one request are uploaded after it.
 *
 * @param onProgress called with the share of the upload that has been sent
 */
export async function sendFolder(
  { name, host, compose, env, overlays, files }: Folder,
  onProgress: (share: number) => void,
): Promise<Stack> {
  const texts: NewStack = {
    name,
    compose,
    ...(host && { host }),
    ...(env !== undefined && { env }),
    ...(Object.keys(overlays).length > 0 && { overlays }),
  }
  const [first, rest] = splitFiles(files, new Blob([JSON.stringify(texts)]).size)
  const body = { ...texts, ...(first.length > 0 && { files: await bodyOf(first) }) }
  const created = await unwrap(api.POST('/stacks', { body }))
  if (rest.length === 0) return created
  try {
    return await upload(created, rest, onProgress)
  } catch (error) {
    const problem = asProblem(error)
    throw new RequestError({ ...problem, reason: 'files-missing' })
  }
}

async function bodyOf(files: readonly PackedFile[]) {
  const entries = files.map(
    async ({ path, file, mode }) =>
      [path, { base64: await base64Of(file), mode: `0${mode.toString(8)}` }] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

async function upload(
  { name, revision }: Stack,
  files: readonly PackedFile[],
  onProgress: (share: number) => void,
): Promise<Stack> {
  const bundle = await packBundle(files)
  const { upload_id: id, part_size } = await unwrap(
    api.POST('/stacks/{name}/uploads', {
      params: { path: { name } },
      body: { size: bundle.blob.size, revision },
    }),
  )
  const put = (n: number, data: string) =>
    unwrap(
      api.PUT('/stacks/{name}/uploads/{id}/parts/{n}', {
        params: { path: { name, id, n } },
        body: { data },
      }),
    )
  await sendParts(bundle, part_size, put, onProgress)
  return unwrap(
    api.POST('/stacks/{name}/uploads/{id}/complete', {
      params: { path: { name, id } },
      body: { sha256: bundle.sha256 },
    }),
  )
}

/**
 * Makes a running compose project a stack. Nothing is restarted.
 *
 * @param files its directory, with `compose.yaml` at its root
 */
export async function adopt(
  project: { name: string; host: HostId },
  files: readonly PackedFile[],
  onProgress: (share: number) => void,
): Promise<AdoptedStack> {
  const bundle = await packBundle(files)
  const { adoption_id: id, part_size } = await unwrap(
    api.POST('/stacks/adopt', { body: { ...project, size: bundle.blob.size } }),
  )
  const put = (n: number, data: string) =>
    unwrap(api.PUT('/stacks/adopt/{id}/parts/{n}', { params: { path: { id, n } }, body: { data } }))
  await sendParts(bundle, part_size, put, onProgress)
  return unwrap(
    api.POST('/stacks/adopt/{id}/complete', {
      params: { path: { id } },
      body: { sha256: bundle.sha256 },
    }),
  )
}
