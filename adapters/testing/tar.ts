import { extract, type Header, pack } from 'tar-stream'

/** An entry of an archive, with the content of a file. */
export type Entry = Partial<Header> & { name: string; text?: string }

/** Packs entries into a tar archive, also those that no archive should have. */
export async function packed(...entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const { text, ...header } of entries) archive.entry(header, text ?? '')
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Returns the headers of the entries of a tar archive. */
export async function headersIn(tar: Buffer): Promise<Header[]> {
  const archive = extract()
  archive.end(tar)
  const headers: Header[] = []
  for await (const entry of archive) {
    headers.push(entry.header)
    entry.resume()
  }
  return headers
}
