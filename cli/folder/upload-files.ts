import type { Client, Reply } from '../api/client.ts'
import type { Stack, StartedUpload } from '../api/types.ts'
import { failed } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { makeBar } from '../output/progress-bar.ts'
import { clean } from '../output/text.ts'
import { type PackEntry, packBundle } from '../upload/pack.ts'
import { type UploadRequests, uploadBundle } from '../upload/upload-bundle.ts'
import type { FolderEntry } from './folder-entry.ts'
import type { FolderFiles } from './folder-files.ts'
import { readContent } from './read-content.ts'

/** The service accepts no larger archive. Bytes. */
const bundleBytesMax = 1024 * 1024 * 1024

/** A change of a stack's files that is too large for one request. */
export interface FilesUpload {
  name: string
  /** The revision that the change is based on. */
  revision: number | undefined
  /** Compose file, .env and overlays by their paths in the stack. */
  texts: Readonly<Record<string, string>>
  entries: readonly FolderEntry[]
  /** Paths to delete. */
  remove: readonly string[]
  unsentData?: readonly string[] | undefined
}

/** Uploads files of a stack as one revision. What cannot be read any more is left out. */
export async function uploadFiles(
  upload: FilesUpload,
  found: FolderFiles,
  { client, io, print }: { client: Client; io: Io; print: Printer },
): Promise<Reply<Stack>> {
  const tooLarge = () => failed('the files are larger than 1 GiB')
  const limit = { sizeMax: bundleBytesMax, tooLarge }
  const bundle = await packBundle(packed(upload, found), limit, io)
  try {
    const bar = makeBar(io, print.progress, `sending ${clean(upload.name)}`)
    return await uploadBundle(bundle, requestsOf(client, upload), { io, bar })
  } finally {
    await bundle.remove()
  }
}

function packed({ texts, entries }: FilesUpload, found: FolderFiles): PackEntry[] {
  const named = Object.entries(texts).map(([path, text]) => ({
    path,
    mode: path === '.env' ? 0o600 : 0o644,
    read: async () => Buffer.from(text),
  }))
  const files = entries.map((entry): PackEntry => {
    if ('link' in entry) return { path: entry.path, link: entry.link }
    return { path: entry.path, mode: entry.mode, read: () => contentOf(entry, found) }
  })
  return [...named, ...files]
}

async function contentOf(
  entry: Extract<FolderEntry, { source: string }>,
  found: FolderFiles,
): Promise<Buffer | undefined> {
  const content = await readContent(entry)
  if (typeof content !== 'string') return content.bytes
  found.entries.delete(entry.path)
  found.leaveOut(entry.path, content)
  return undefined
}

function requestsOf(
  client: Client,
  { name, revision, remove, unsentData }: FilesUpload,
): UploadRequests<StartedUpload, Reply<Stack>> {
  const at = ({ upload_id: id }: StartedUpload) => ({ name, id })
  return {
    list: 'uploads.json',
    key: [client.server, name, revision ?? ''].join(' '),
    async begin(size) {
      const body = { size, revision }
      const { value } = await client.post('/stacks/{name}/uploads', { path: { name }, body })
      return value
    },
    async received(begun) {
      const { value } = await client.get('/stacks/{name}/uploads/{id}', { path: at(begun) })
      return value.received
    },
    put: (begun, n, data) =>
      client.put('/stacks/{name}/uploads/{id}/parts/{n}', {
        path: { ...at(begun), n },
        body: { data },
      }),
    complete: (begun, sha256) =>
      client.post('/stacks/{name}/uploads/{id}/complete', {
        path: at(begun),
        body: {
          sha256,
          ...(remove.length > 0 ? { remove: [...remove] } : {}),
          ...(unsentData ? { unsent_data: [...unsentData] } : {}),
        },
        timeout: 0,
      }),
  }
}
