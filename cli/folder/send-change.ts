import type { Client, Reply } from '../api/client.ts'
import type { Stack } from '../api/types.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import type { StackDifference } from './find-change.ts'
import type { FolderFiles } from './folder-files.ts'
import { withLimitHint } from './limit-hint.ts'
import { fitsRequest, requestFiles } from './request-files.ts'
import { uploadFiles } from './upload-files.ts'

/** A change of a stack's files, and the revision that it is based on. */
export interface SentChange {
  name: string
  revision: number | undefined
  difference: StackDifference
  /** Paths to delete. */
  remove: readonly string[]
  /** Mounts whose data is not sent; undefined leaves what the stack knows of them. */
  unsentData?: readonly string[] | undefined
}

/**
 * Sends a change of a stack's files as one revision: in one request, or in parts if it is large.
 */
export const sendChange = (
  change: SentChange,
  found: FolderFiles,
  output: { client: Client; io: Io; print: Printer },
): Promise<Reply<Stack>> => withLimitHint(found, () => send(change, found, output))

async function send(
  { name, revision, difference, remove, unsentData }: SentChange,
  found: FolderFiles,
  output: { client: Client; io: Io; print: Printer },
): Promise<Reply<Stack>> {
  const { entries, texts, oldOverlays } = difference
  const removed = [...oldOverlays, ...remove]
  if (!fitsRequest(entries, { texts, removed })) {
    const upload = { name, revision, texts, entries, remove: removed, unsentData }
    return uploadFiles(upload, found, output)
  }
  const files = {
    ...Object.fromEntries(Object.entries(texts).map(([path, content]) => [path, { content }])),
    ...(await requestFiles(entries, found)),
    ...Object.fromEntries(removed.map((path) => [path, null])),
  }
  const body = { files, revision, unsent_data: unsentData && [...unsentData] }
  return output.client.put('/stacks/{name}', { path: { name }, body })
}
