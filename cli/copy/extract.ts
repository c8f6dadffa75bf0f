import { constants } from 'node:fs'
import { chmod, mkdir, open, symlink } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Extract, extract } from 'tar-stream'
import { CliFailure, failed, hasCode } from '../failure.ts'
import { statsAt } from '../folder/stats-at.ts'
import { clean } from '../output/text.ts'

/** More entries are refused. */
const entriesMax = 100_000

/**
 * Unpacks an archive that a container made, under another name of its root. Nothing is written
 * outside of `target`, through a link, or as a device: names are checked, existing links are not
 * followed, and links are created last, only those that stay inside. Returns what was left out.
 *
 * @param root the name of the root in the archive
 * @param target the local path that the root becomes
 */
export async function extractTo(
  archive: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  root: string,
  target: string,
): Promise<string[]> {
  const reader = extract()
  const results = await Promise.allSettled([
    unpack(reader, root, target),
    pipeline(Readable.from(archive), reader),
  ])
  const [unpacked] = results
  const reasons = results.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  )
  // The end of one of the two ends the other, with a reason that says less.
  if (reasons.length > 0) throw reasons.find((one) => one instanceof CliFailure) ?? reasons[0]
  return unpacked.status === 'fulfilled' ? unpacked.value : []
}

async function unpack(reader: Extract, root: string, target: string): Promise<string[]> {
  const left: string[] = []
  const links: { path: string; to: string }[] = []
  const modes = new Map<string, number>()
  let entries = 0
  for await (const entry of reader) {
    const { name, type, mode = 0o644, linkname } = entry.header
    entries += 1
    if (entries > entriesMax) throw failed(`the archive has more than ${entriesMax} entries`)
    const inside = insideOf(name, root)
    if (inside === '' && type === 'symlink') {
      throw failed(`${clean(root)} is a link: copy ${clean(linkname ?? '')} instead`)
    }
    if (type === 'file') {
      await write(target, inside, entry, mode & 0o777)
      continue
    }
    entry.resume()
    if (type === 'directory') {
      if (await makeDirectory(target, inside)) modes.set(inside, mode & 0o777)
    } else if (type === 'symlink' && staysInside(inside, linkname ?? '')) {
      links.push({ path: inside, to: linkname ?? '' })
    } else left.push(`${inside || root} (${type ?? 'unknown'})`)
  }
  left.push(...(await makeLinks(target, links)))
  // Last and from the inside out: a directory may not let its owner write.
  for (const [path, mode] of [...modes].reverse()) await chmod(join(target, path), mode)
  return left
}

/** Creates links, and returns those whose place is taken. */
async function makeLinks(
  target: string,
  links: readonly { path: string; to: string }[],
): Promise<string[]> {
  const left: string[] = []
  for (const { path, to } of links) {
    await makeDirectory(target, posix.dirname(path))
    await symlink(to, join(target, path)).catch((error) => {
      if (!hasCode(error, 'EEXIST')) throw error
      left.push(`${path} (exists)`)
    })
  }
  return left
}

/** Returns the path of an entry below the root. Throws a `CliFailure` if it is not below it. */
function insideOf(name: string, root: string): string {
  const segments = name.split('/').filter((one) => one !== '' && one !== '.')
  const first = root === '/' ? root : segments.shift()
  const isBad = first !== root || segments.includes('..') || /[\0\\]/.test(name)
  if (isBad || name.startsWith('/')) throw failed(`the archive has an unsafe name: ${clean(name)}`)
  return segments.join('/')
}

/**
 * Returns whether a link leads to a place below the target. `..` counts only at its beginning:
 * behind the name of another link it leads elsewhere than it seems.
 */
function staysInside(path: string, to: string): boolean {
  if (path === '' || to === '' || to.startsWith('/')) return false
  const names = to.split('/').filter((name) => name !== '' && name !== '.')
  const firstName = names.findIndex((name) => name !== '..')
  if (firstName >= 0 && names.slice(firstName).includes('..')) return false
  return !posix.join(posix.dirname(path), to).split('/').includes('..')
}

/**
 * Creates the directories of a path one by one, and throws a `CliFailure` at a link. Returns
 * whether the last one is new.
 */
async function makeDirectory(target: string, inside: string): Promise<boolean> {
  let path = target
  let isNew = false
  for (const name of ['', ...inside.split('/').filter((one) => one !== '' && one !== '.')]) {
    path = name === '' ? path : join(path, name)
    const found = await statsAt(path, dirname(path))
    isNew = !found
    if (!found) await mkdir(path)
    else if (!found.isDirectory()) throw failed(`${clean(path)} exists and is no directory`)
  }
  return isNew
}

/** Writes a file while its content arrives. */
async function write(
  target: string,
  inside: string,
  content: AsyncIterable<unknown>,
  mode: number,
): Promise<void> {
  const path = inside === '' ? target : join(target, inside)
  if (inside !== '') await makeDirectory(target, posix.dirname(inside))
  const found = await statsAt(path, dirname(path))
  if (found && !found.isFile()) throw failed(`${clean(path)} exists and is no plain file`)
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  await using file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode)
  for await (const chunk of content) await file.writeFile(chunk as Buffer)
  await file.chmod(mode)
}
