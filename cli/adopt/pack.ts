import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { CliFailure, failed } from '../failure.ts'
import { bytes } from '../units.ts'
import type { BundleFile } from './directory.ts'

/** A packed bundle in a temporary file, until it is removed. */
export interface Bundle {
  file: string
  /** Bytes. */
  size: number
  sha256: string
  remove(): Promise<void>
}

/**
 * Packs the files as a tar.gz. The same files always give the same bytes. Throws a `CliFailure` if
 * the archive exceeds `sizeMax` bytes or a file changes meanwhile.
 */
export async function packBundle(files: readonly BundleFile[], sizeMax: number): Promise<Bundle> {
  const directory = await mkdtemp(join(tmpdir(), 'cli-bundle-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  const file = join(directory, 'bundle.tar.gz')
  try {
    const archive = pack()
    const hash = createHash('sha256')
    let size = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length
        hash.update(chunk)
        done(size > sizeMax ? tooLarge(sizeMax) : null, chunk)
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

const tooLarge = (sizeMax: number) =>
  failed(`the bundle is larger than ${bytes(sizeMax)}`, {
    hint: 'raise the limit with --max-size <bytes>',
  })

async function fill(archive: Pack, files: readonly BundleFile[]): Promise<void> {
  for (const { path, source, size, mode } of files) {
    const header = { name: path, size, mode, mtime: new Date(0), uid: 0, gid: 0 }
    if (size === 0) archive.entry(header, '')
    else {
      await pipeline(createReadStream(source, { end: size - 1 }), archive.entry(header)).catch(
        (cause) => {
          if (archive.destroyed) throw cause
          throw failed(`${path} changed while it was read, or cannot be read`, { cause })
        },
      )
    }
  }
  archive.finalize()
}
