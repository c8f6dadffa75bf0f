import { unpack } from '../bundle/unpack.ts'
import { invalid, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { SettingValues } from '../records/settings.ts'
import type { StackRecord } from '../records/stack.ts'
import type { TreeEntry } from '../records/stack-tree.ts'
import type { Upload } from '../records/upload.ts'
import { type ChangePorts, changeFiles, type FileChange } from '../stacks/change-files.ts'
import type { ChangeRights } from '../stacks/check-change.ts'
import { fileBatches } from '../stacks/file-batches.ts'
import { shownPath } from '../stacks/file-path.ts'
import { getStack } from '../stacks/stack-record.ts'
import { checkFileSize, checkSize } from '../stacks/tree-limits.ts'
import { isFor } from './get-change.ts'
import { readUpload } from './read-upload.ts'

export type CompletePorts = ChangePorts & Needs<'uploads' | 'hosts'>

/** The end of an upload: the digest of its bundle, and the files to delete. */
export interface ChangeEnd {
  sha256: string
  remove?: readonly string[] | undefined
  facts?: FileChange['facts']
}

/**
 * Applies an uploaded bundle to the files of its stack as one revision, and removes the upload's
 * parts. A repeated call returns the stack. Contents are stored before, a few at a time; a
 * sweep removes those that no record ever refers to.
 *
 * @throws what `readUpload`, `unpack` and `changeFiles` throw
 */
export async function completeChange(
  upload: Upload,
  end: ChangeEnd,
  rights: ChangeRights,
  ports: CompletePorts,
): Promise<StackRecord> {
  if (!(await isApplied(upload, ports))) {
    try {
      await apply(upload, end, rights, ports)
    } catch (error) {
      // Another process may have completed it meanwhile and removed the parts.
      if (!(await isApplied(upload, ports))) throw error
    }
  }
  if (!upload.done) await ports.uploads.save({ ...upload, done: true })
  await ports.uploads.removeParts(upload.id)
  return getStack(upload.stack, ports)
}

/** Returns whether the files were changed, even if the process died before recording it. */
async function isApplied({ id, stack }: Upload, ports: CompletePorts): Promise<boolean> {
  if ((await ports.uploads.find(id))?.done) return true
  return (await ports.stacks.find(stack))?.filesFrom === id
}

async function apply(
  upload: Upload,
  { sha256, remove = [], facts }: ChangeEnd,
  rights: ChangeRights,
  ports: CompletePorts,
): Promise<void> {
  const limits = await ports.settings.get()
  const patch = new Map<string, TreeEntry | null>(
    await readUpload(upload, sha256, (packed) => storeEntries(packed, limits, ports), ports),
  )
  for (const path of remove) {
    if (patch.get(path)) throw invalid(`body.remove: ${shownPath(path)} is in the bundle`)
    patch.set(path, null)
  }
  const also = async () => ({ filesFrom: upload.id })
  const patchOf = (stack: StackRecord) => {
    if (!isFor(upload, stack)) throw notFound(`stack ${stack.id}: it was deleted meanwhile`)
    // Another process completed the upload. Later changes of these files must stay.
    return stack.filesFrom === upload.id ? new Map() : patch
  }
  const change = { ...rights, revision: upload.revision, facts, also }
  await changeFiles(upload.stack, patchOf, change, ports)
}

/** Stores the files of a bundle, a few at a time, and returns their entries by path. */
async function storeEntries(
  packed: AsyncIterable<Uint8Array>,
  limits: SettingValues,
  ports: Needs<'texts'>,
): Promise<Map<string, TreeEntry>> {
  const { 'stack.max_bytes': bytesMax, 'stack.max_files': filesMax } = limits
  // Besides its content, an entry has a header and padding.
  const unpackedMax = bytesMax + (filesMax + 1024) * 4096
  const entries = unpack(packed, { unpackedMax, entriesMax: 2 * filesMax + 1024, links: true })
  const batches = fileBatches(ports)
  const links = new Map<string, TreeEntry>()
  let files = 0
  let bytes = 0
  for await (const { path, type, mode, size, link, content } of entries) {
    if (type === 'file') {
      checkFileSize(path, size, limits)
      bytes += size
    }
    if (type !== 'directory') files += 1
    checkSize({ files, bytes }, { files: 0, bytes: 0 }, limits)
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    if (type === 'file') await batches.add(path, Buffer.concat(chunks), mode)
    else if (type === 'symlink') links.set(path, { link })
  }
  return new Map<string, TreeEntry>([...(await batches.end()), ...links])
}
