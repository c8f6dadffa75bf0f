import { once } from 'node:events'
import { pack } from 'tar-stream'

/** @typedef {import('./entries.mjs').Entry} Entry */

/**
 * Returns a tar archive of the entries in their order. The same entries and time give the same
 * bytes.
 *
 * @param {readonly Entry[]} entries
 * @param {number} epoch seconds since 1970
 * @returns {Promise<Buffer>}
 */
export async function tarOf(entries, epoch) {
  const archive = pack()
  /** @type {Buffer[]} */
  const chunks = []
  archive.on('data', (chunk) => chunks.push(Buffer.from(/** @type {Buffer} */ (chunk))))
  const ended = once(archive, 'end')
  const mtime = new Date(epoch * 1000)
  for (const entry of entries) {
    const { path, mode, type, uid = 0, gid = 0 } = entry
    const header = { name: path, mode, type, uid, gid, mtime }
    if (entry.type === 'file') archive.entry(header, entry.content)
    else if (entry.type === 'symlink') archive.entry({ ...header, linkname: entry.link })
    else archive.entry(header)
  }
  archive.finalize()
  await ended
  return Buffer.concat(chunks)
}
