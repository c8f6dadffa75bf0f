import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const br = promisify(brotliCompress)
const gz = promisify(gzip)

/** Fonts and pictures are compressed by their format. */
const isCompressed = (/** @type {string} */ path) => /\.(?:woff2|png)$/.test(path)

/**
 * Writes each file as `.br` and `.gz` only: the service unpacks the latter for the rare client that
 * accepts neither.
 *
 * @param {readonly { path: string; contents: Uint8Array }[]} files
 */
export async function compressAll(files) {
  await Promise.all(
    files.map(async ({ path, contents }) => {
      if (isCompressed(path)) return writeFile(path, contents)
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
      }
      await writeFile(`${path}.br`, await br(contents, { params }))
      await writeFile(`${path}.gz`, await gz(contents, { level: 9 }))
    }),
  )
}
