import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { CliFailure, failed } from '../failure.ts'
import type { Io } from '../io.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

/** A packed bundle in a temporary file, until it is removed. */
export interface Bundle {
  file: string
  /** Bytes. */
  size: number
  sha256: string
  remove(): Promise<void>
}

/** A file or link of a bundle, with its path there. Sizes are in bytes. */
export type PackEntry =
  | { path: string; mode: number; source: string; size: number }
  /** A file without content is skipped. */
  | { path: string; mode: number; read(): Promise<Uint8Array | undefined> }
  | { path: string; link: string }

/** The largest archive, and what to do about a larger one. */
export interface PackLimit {
  /** Bytes. */
  sizeMax: number
  tooLarge(): CliFailure
}

/**
 * Packs the files as a tar.gz. The same files always give the same bytes. Throws a `CliFailure` if
 * the archive exceeds the limit or a file changes meanwhile.
 */
export async function packBundle(
  files: readonly PackEntry[],
  { sizeMax, tooLarge }: PackLimit,
  io: Pick<Io, 'onEnd'>,
): Promise<Bundle> {
  const { path, remove } = await temporaryDirectory('cli-bundle-', io)
  const file = join(path, 'bundle.tar.gz')
  try {
    const archive = pack()
    const hash = createHash('sha256')
    let size = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length
        hash.update(chunk)
        done(size > sizeMax ? tooLarge() : null, chunk)
      },
    })
    const output = createWriteStream(file, { mode: 0o600 })
    const results = await Promise.allSettled([
      pipeline(archive, createGzip(), measure, output),
      fill(archive, files).catch((error) => {
        archive.destroy(error)
        throw error
      }),
    ])
    const reasons = results.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    )
    if (reasons.length > 0) throw reasons.find((one) => one instanceof CliFailure) ?? reasons[0]
    return { file, size, sha256: hash.digest('hex'), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function fill(archive: Pack, files: readonly PackEntry[]): Promise<void> {
  for (const file of files) {
    const header = { name: file.path, mtime: new Date(0), uid: 0, gid: 0 }
    if ('link' in file) archive.entry({ ...header, type: 'symlink', linkname: file.link })
    else if ('read' in file) await addContent(archive, { ...header, mode: file.mode }, file)
    else if (file.size === 0) archive.entry({ ...header, mode: file.mode, size: 0 }, '')
    else await addStream(archive, { ...header, mode: file.mode, size: file.size }, file.source)
  }
  archive.finalize()
}

type Header = Parameters<Pack['entry']>[0] & { mode: number }

async function addContent(
  archive: Pack,
  header: Header,
  { read }: { read(): Promise<Uint8Array | undefined> },
): Promise<void> {
  const content = await read()
  if (content === undefined) return
  // The promise waits for the reader, so that only one content is in memory.
  await new Promise<void>((resolve, reject) =>
    archive
      .entry({ ...header, size: content.length }, Buffer.from(content), (error) =>
        error ? reject(error) : resolve(),
      )
      .on('error', reject),
  )
}

async function addStream(
  archive: Pack,
  header: Header & { size: number },
  source: string,
): Promise<void> {
  const content = createReadStream(source, { end: header.size - 1 })
  await pipeline(content, archive.entry(header)).catch((cause) => {
    if (archive.destroyed) throw cause
    throw failed(`${header.name} changed while it was read, or cannot be read`, { cause })
  })
}
