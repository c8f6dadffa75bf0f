import { posix } from 'node:path'
import { type Header, pack } from 'tar-stream'
import { type Failure, invalid } from '../errors.ts'
import { tarEntries } from '../tar/entries.ts'
import { archiveEntriesMax } from './archive-limits.ts'

/**
 * Returns an archive with the same files, directories and links, owned by root and without
 * set-user-id bits: the Engine unpacks it with the rights of root, also on mounted directories of
 * the host, where a command in the container may have fewer rights.
 *
 * @throws 400 for any other kind of entry, and for names that leave the directory, directly or
 *   through a link in the archive, which the Engine would follow
 */
export async function checkArchive(archive: Uint8Array): Promise<Buffer> {
  const out = pack()
  let entries = 0
  const links = new Set<string>()
  for await (const { header, content } of tarEntries(once(archive))) {
    entries += 1
    if (entries > archiveEntriesMax) {
      throw invalid(`body.data: more than ${archiveEntriesMax} entries`)
    }
    const checked = checkEntry(header, links)
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    if (checked.type === 'file') out.entry(checked, Buffer.concat(chunks))
    else out.entry(checked)
  }
  if (entries === 0) throw invalid('body.data: the archive is empty')
  out.finalize()
  const checked: Buffer[] = []
  for await (const chunk of out) checked.push(chunk as Buffer)
  return Buffer.concat(checked)
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

type CheckedEntry = Partial<Header> & Pick<Header, 'name'>

function checkEntry(
  { name, type, mode = 0, mtime, linkname }: Header,
  links: Set<string>,
): CheckedEntry {
  if (type !== 'file' && type !== 'directory' && type !== 'symlink') {
    throw unsafe(name, `is a ${type ?? 'file of unknown type'}`)
  }
  const path = posix.normalize(name)
  if (path.startsWith('/') || path.split('/').includes('..'))
    throw unsafe(name, 'leaves the directory')
  if (/[\0\ufffd]/.test(name) || Buffer.byteLength(name) > 1024)
    throw unsafe(name, 'is no valid path')
  if (parentsOf(path).some((parent) => links.has(parent))) throw unsafe(name, 'is behind a link')
  if (type === 'symlink') links.add(path.replace(/\/$/, ''))
  const own = { name: path, type, mode: mode & 0o777, mtime, uid: 0, gid: 0 }
  return type === 'symlink' ? { ...own, linkname: linkname ?? '' } : own
}

/** Returns the directories above a path. */
function parentsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

const unsafe = (name: string, why: string): Failure =>
  invalid(`body.data: ${JSON.stringify(name.slice(0, 140))} ${why}`)
