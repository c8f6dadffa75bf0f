import type { Readable, Writable } from 'node:stream'
import { type Header, type Pack, pack } from 'tar-stream'
import type { Ignoring } from '../../../functions/compose/build/ignore-file.ts'
import { internalError, unprocessable } from '../../../functions/core/errors.ts'
import type { FileEntry } from '../build-session/file-sync.ts'
import { extracting } from '../files/extracting.ts'

/** Selects the entries of a directory's archive that are sent to the builder. */
export interface ContextOptions {
  ignoring: Ignoring
  /**
   * Paths that are sent even if they are ignored: the old builder needs them and removes them
   * again.
   */
  always: readonly string[]
  /**
   * Paths that are left out: ignore files that are not regular files. The Engine would read a pipe
   * or a device forever.
   */
  omitted: readonly string[]
}

/** Files of a build context by their paths, in no order. */
export type AddedFiles = Readonly<Record<string, string>>

/**
 * Yields the entries of a directory's archive that are sent to the builder, in order: paths are
 * relative to the directory, without a slash at their end, and root owns everything.
 *
 * @throws 422 for a hard link to a file that is not sent, and the error of the archive
 */
export async function* contextEntries(
  source: Readable,
  { ignoring, always, omitted }: ContextOptions,
  added: AddedFiles = {},
): AsyncGenerator<FileEntry & { header: Header }> {
  let root: string | undefined
  const goes = (path: string) =>
    path !== '' &&
    !Object.hasOwn(added, path) &&
    !omitted.includes(path) &&
    (always.includes(path) || !ignoring.ignores(path))
  const archive = extracting(source)
  try {
    for await (const entry of archive) {
      const { header } = entry
      root ??= rootOf(header)
      const path = inside(root, header.name)
      if (!goes(path)) {
        entry.resume()
        continue
      }
      if (header.type === 'link' && !goes(inside(root, header.linkname ?? ''))) {
        throw unprocessable(
          `${JSON.stringify(path)} in the build context is a hard link to a file outside of it`,
        )
      }
      // The streams of the two libraries behave alike; only their types differ.
      yield { header: relocated(header, root), content: entry as unknown as Readable }
    }
  } finally {
    archive.destroy()
    source.destroy()
  }
  if (root === undefined)
    throw internalError('The archive of the build context is empty', { reason: 'engine-failed' })
}

/**
 * Returns the archive of a build context. It is streamed. If the entries fail, it is destroyed with
 * their error.
 *
 * @param added files that are added, or that replace those of the directory
 */
export function contextArchive(
  source: Readable,
  options: ContextOptions,
  added: AddedFiles,
): Readable {
  const target = pack()
  target.on('close', () => source.destroy())
  const packAll = async () => {
    for await (const { header, content } of contextEntries(source, options, added)) {
      const name = header.type === 'directory' ? `${header.name}/` : header.name
      await copy(content, target, { ...header, name })
    }
    for (const [name, text] of Object.entries(added)) target.entry({ name, mode: 0o644 }, text)
    target.finalize()
  }
  packAll().catch((error) => target.destroy(error))
  return target as unknown as Readable
}

/** Returns the name of the directory, which is the first entry of its archive. */
function rootOf({ type, name }: Header): string {
  if (type !== 'directory') throw unprocessable('the build context is not a directory')
  return name.replace(/\/$/, '')
}

function inside(root: string, name: string): string {
  return name.slice(root.length + 1).replace(/\/$/, '')
}

function relocated(header: Header, root: string): Header {
  const { path: _, linkpath: __, size: ___, ...pax } = (header.pax ?? {}) as Record<string, string>
  return {
    ...header,
    name: inside(root, header.name),
    linkname: header.type === 'link' ? inside(root, header.linkname ?? '') : header.linkname,
    uid: 0,
    gid: 0,
    uname: '',
    gname: '',
    pax: Object.keys(pax).length > 0 ? pax : null,
  } as Header
}

function copy(entry: Readable, target: Pack, header: Header): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    const sink = target.entry(header, done) as unknown as Writable
    entry.on('error', reject)
    if (header.type === 'file' || header.type === 'contiguous-file') entry.pipe(sink)
    else entry.resume()
  })
}
