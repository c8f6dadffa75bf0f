import type { Readable, Writable } from 'node:stream'
import { type Extract, type Header, type Pack, pack } from 'tar-stream'
import type { Ignoring } from '../../../functions/compose/build/ignore-file.ts'
import { internalError, unprocessable } from '../../../functions/core/errors.ts'
import { extracting } from '../files/extracting.ts'

/** Selects the entries of a directory's archive that are sent to the builder. */
export interface ContextOptions {
  ignoring: Ignoring
  /** Paths that are sent even if they are ignored: the Engine needs them and removes them again. */
  always: readonly string[]
  /**
   * Paths that are left out: ignore files that are not regular files. The Engine would read a pipe
   * or a device forever.
   */
  omitted: readonly string[]
  /** Files that are added, or that replace those of the directory. */
  added: Record<string, string>
}

/**
 * Returns the archive of a directory as a build context: paths are relative to the directory,
 * ignored files are left out, and root owns everything. The archive is streamed. If the source
 * breaks off, the context is destroyed with its error.
 */
export function buildContext(source: Readable, options: ContextOptions): Readable {
  const target = pack()
  const archive = extracting(source)
  target.on('close', () => {
    archive.destroy()
    source.destroy()
  })
  passOn(archive, target, options).then(
    () => target.finalize(),
    (error) => target.destroy(error),
  )
  // The streams of the two libraries behave alike; only their types differ.
  return target as unknown as Readable
}

async function passOn(
  archive: Extract,
  target: Pack,
  { ignoring, always, omitted, added }: ContextOptions,
): Promise<void> {
  let root: string | undefined
  const goes = (path: string) =>
    path !== '' &&
    !(path in added) &&
    !omitted.includes(path) &&
    (always.includes(path) || !ignoring.ignores(path))
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
    await copy(entry as unknown as Readable, target, relocated(header, root))
  }
  if (root === undefined)
    throw internalError('The archive of the build context is empty', { reason: 'engine-failed' })
  for (const [name, text] of Object.entries(added)) target.entry({ name, mode: 0o644 }, text)
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
  const name = inside(root, header.name)
  return {
    ...header,
    name: header.type === 'directory' ? `${name}/` : name,
    linkname: header.type === 'link' ? inside(root, header.linkname ?? '') : header.linkname,
    ...{ uid: 0, gid: 0, uname: '', gname: '' },
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
