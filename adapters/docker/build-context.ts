import type { Readable, Writable } from 'node:stream'
import { extract, type Header, type Pack, pack } from 'tar-stream'
import type { Ignoring } from '../../functions/core/engine/build/ignore-file.ts'
import { broken, unprocessable } from '../../functions/core/errors.ts'

/** What of a directory's archive goes to the builder. */
export interface ContextOptions {
  ignoring: Ignoring
  /** Paths that go along though they are ignored: the Engine needs them and takes them out again. */
  always: readonly string[]
  /**
   * Paths that do not go along: ignore files that are no regular files. The Engine would open a pipe or
   * a device and never end.
   */
  omitted: readonly string[]
  /** Files that take the place of those in the directory, or are added to them. */
  added: Record<string, string>
}

/**
 * The archive of a directory as the context of a build: paths relative to the directory, without what is ignored, owned by
 * root. It is passed on as it comes, nothing of it is kept. A source that breaks off destroys the context with its error.
 */
export function buildContext(source: Readable, options: ContextOptions): Readable {
  const target = pack()
  const archive = extract()
  source.on('error', (error) => archive.destroy(error))
  source.on('close', () => {
    if (!source.readableEnded) archive.destroy(new Error('the archive was cut off'))
  })
  target.on('close', () => {
    archive.destroy()
    source.destroy()
  })
  source.pipe(archive)
  passOn(archive, target, options).then(
    () => target.finalize(),
    (error) => target.destroy(error),
  )
  // The two libraries' streams work alike; only their types differ.
  return target as unknown as Readable
}

async function passOn(
  archive: ReturnType<typeof extract>,
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
        `${JSON.stringify(path)} in the build context is a hard link to a file that is left out of it`,
      )
    }
    await copy(entry as unknown as Readable, target, relocated(header, root))
  }
  if (root === undefined) throw broken('The archive of the build context is empty')
  for (const [name, text] of Object.entries(added)) target.entry({ name, mode: 0o644 }, text)
}

/** The first entry of a directory's archive is the directory. */
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
