import type { NewStack } from '../api/types.ts'
import type { ComposeFiles } from './compose-files.ts'
import type { FolderEntry } from './folder-entry.ts'
import type { FolderFiles } from './folder-files.ts'
import { readContent } from './read-content.ts'

type RequestFiles = NonNullable<NewStack['files']>

/** A request with files is at most this large; the service accepts 4 MiB. Bytes. */
const requestBytesMax = 3.5 * 1024 * 1024
/** One file of a request is at most this large. Bytes. */
const requestFileMax = 2 * 1024 * 1024
/** A file needs this much besides its content. Bytes. */
const overhead = 80

/** Returns whether these files fit into one request, beside these texts. */
export function fitsRequest(entries: readonly FolderEntry[], texts: object): boolean {
  const sizes = entries.map((entry) => ('link' in entry ? entry.link.length : entry.size))
  if (sizes.some((size) => size > requestFileMax)) return false
  const paths = entries.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0)
  // Base64 adds a third; control characters of a text are escaped to six bytes, so that such a text
  // is sent as base64 too.
  const content = sizes.reduce((sum, size) => sum + Math.ceil(size / 3) * 4 + overhead, 0)
  return content + paths * 2 + Buffer.byteLength(JSON.stringify(texts)) < requestBytesMax
}

/** Returns files as a request has them. What cannot be read any more is left out. */
export async function requestFiles(
  entries: readonly FolderEntry[],
  found: FolderFiles,
): Promise<RequestFiles> {
  const files: [string, RequestFiles[string]][] = []
  for (const entry of entries) {
    if ('link' in entry) {
      files.push([entry.path, { link: entry.link }])
      continue
    }
    const content = await readContent(entry)
    if (typeof content === 'string') {
      found.entries.delete(entry.path)
      found.leaveOut(entry.path, content)
    } else files.push([entry.path, { ...bodyOf(content.bytes), mode: octal(entry.mode) }])
  }
  return Object.fromEntries(files)
}

const octal = (mode: number) => mode.toString(8).padStart(4, '0')

/** Returns text unchanged, so that requests stay readable, and everything else in base64. */
function bodyOf(bytes: Buffer): { content: string } | { base64: string } {
  const text = bytes.toString('utf8')
  const isText = !/[\u0000-\u0008\u000e-\u001f]/.test(text) && Buffer.from(text).equals(bytes)
  return isText && JSON.stringify(text).length < (bytes.length * 4) / 3 + overhead
    ? { content: text }
    : { base64: bytes.toString('base64') }
}

/** Returns the compose file, the variables and the overlays as a request has them. */
export const textsOf = ({ main, overlays, env }: ComposeFiles) => ({
  compose: main.text,
  ...(env === undefined ? {} : { env }),
  ...(Object.keys(overlays).length === 0
    ? {}
    : {
        overlays: Object.fromEntries(
          Object.entries(overlays).map(([name, { text }]) => [name, text]),
        ),
      }),
})
