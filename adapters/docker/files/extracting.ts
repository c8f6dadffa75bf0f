import type { Readable } from 'node:stream'
import { type Extract, extract } from 'tar-stream'

/** Pipes an archive into an unpacker, which fails if the source does or ends before its time. */
export function extracting(source: Readable): Extract {
  const archive = extract()
  source.on('error', (error) => archive.destroy(error))
  source.on('close', () => {
    if (!source.readableEnded) archive.destroy(new Error('the archive was cut short'))
  })
  source.pipe(archive)
  return archive
}
