import { posix } from 'node:path'
import type { ExamineOptions } from '../../../functions/core/ports/engine.ts'
import type { ExpectedFile, HostEntry } from '../../../functions/core/records/host-engine.ts'
import { checkedHostPath } from '../../../functions/core/stacks/host-path.ts'
import type { Helper } from '../helper-containers/helper.ts'
import { inspectContainer } from '../inspect/container.ts'
import { isMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { archive } from './archive.ts'
import { examined } from './examined-archive.ts'
import { refuseLinksAbove } from './files.ts'
import type { HostAccess } from './host-access.ts'
import { readSome, statFilesMax } from './read-files.ts'

/** Bytes of an archive beyond the expected ones until its directories are read one by one. */
const foreignBytesMax = 4 * 1024 * 1024
/** Bytes of an entry in an archive besides its content. */
const entryBytes = 1536
/** An archive takes as long as looking at this many files. */
const archiveFilesMin = 4
/** Files that are read at once. */
const readsAtOnce = 8

interface Examination {
  client: EngineClient
  helper: Helper
  expected: ReadonlyMap<string, ExpectedFile>
  /** Directories whose content is not read. */
  avoid: readonly string[]
  found: Map<string, HostEntry>
}

/**
 * Returns what is at paths in a directory of the host. Missing paths are left out. Many files are
 * read as archives of the directories that they are in, as long as those hold little else.
 *
 * @throws 409 if a directory on the way to a file is a link
 */
export async function examineHostFiles(
  host: HostAccess,
  directory: string,
  expected: ReadonlyMap<string, ExpectedFile>,
  { known = new Set(), avoid = [] }: ExamineOptions,
): Promise<Map<string, HostEntry>> {
  const paths = [...expected.keys()]
  for (const path of paths) checkedHostPath(path)
  if (paths.length === 0) return new Map()
  const read = await host.helpers.lend(directory, 'read', async (helper) => {
    const work = { client: host.client, helper, expected, avoid, found: new Map() }
    if (paths.length > statFilesMax) await examineDirectory('', paths, work)
    else await examineFew(host, paths, known, work)
    // Files must not count as missing because the helper is gone: then this throws, and another
    // helper is used.
    if (work.found.size < paths.length) await inspectContainer(host.client, helper.id)
    return work.found
  })
  return read ?? new Map()
}

async function examineFew(
  host: HostAccess,
  paths: string[],
  known: ReadonlySet<string>,
  work: Examination,
) {
  const { client, helper, expected, found } = work
  const possible = await refuseLinksAbove(client, helper, paths)
  const links = possible.filter((path) => expected.get(path) === 'link')
  const files = possible.filter((path) => expected.get(path) !== 'link')
  const read = async (isKnown: boolean) => {
    const some = files.filter((path) => known.has(path) === isKnown)
    for (const [path, entry] of await readSome(host, helper, some, isKnown)) found.set(path, entry)
  }
  await Promise.all([read(true), read(false)])
  await examineEach(links, work)
}

/** Examines paths below a directory: by its archive, or by those of the directories in it. */
async function examineDirectory(at: string, paths: string[], work: Examination): Promise<void> {
  const isAvoided = work.avoid.some(
    (one) => at === '' || `${one}/`.startsWith(`${at}/`) || at.startsWith(`${one}/`),
  )
  if (!isAvoided && (await examineArchive(at, paths, work))) return
  const groups = new Map<string, string[]>()
  const single: string[] = []
  const left = paths.filter((path) => !work.found.has(path))
  for (const path of left) {
    const slash = path.indexOf('/', at === '' ? 0 : at.length + 1)
    if (slash < 0) single.push(path)
    else groups.set(path.slice(0, slash), [...(groups.get(path.slice(0, slash)) ?? []), path])
  }
  for (const [directory, inside] of groups) {
    if (inside.length >= archiveFilesMin) await examineDirectory(directory, inside, work)
    else single.push(...inside)
  }
  await examineEach(await refuseLinksAbove(work.client, work.helper, single), work)
}

/**
 * Reads the archive of a directory. Returns false if it holds so much else that it was not read to
 * its end.
 *
 * @throws 409 if the directory or one on the way to it is a link
 */
async function examineArchive(at: string, paths: string[], work: Examination): Promise<boolean> {
  const { client, helper, expected, found } = work
  const above = at === '' ? [] : [posix.join(at, 'any')]
  // Below a file there is nothing.
  if ((await refuseLinksAbove(client, helper, above)).length < above.length) return true
  const prefix = `${posix.basename(posix.join(helper.base, at))}/`
  const inside = at === '' ? '' : `${at}/`
  const pathOf = (name: string) => `${inside}${name.slice(prefix.length)}`
  const wanted = new Set(paths)
  const bytesMax = budgetOf(paths, expected)
  try {
    const source = await archive(client, helper, at)
    let bytes = 0
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    const sizeOf = (name: string) => {
      const path = pathOf(name)
      return wanted.has(path) ? expected.get(path) : undefined
    }
    for await (const { name, entry } of examined(source, sizeOf, () => bytes > bytesMax)) {
      if (entry && wanted.has(pathOf(name))) found.set(pathOf(name), entry)
      if (bytes > bytesMax) return false
    }
    return bytes <= bytesMax
  } catch (error) {
    if (isMissing(error)) return true
    throw error
  }
}

function budgetOf(paths: string[], expected: Examination['expected']): number {
  const bytes = paths.reduce((sum, path) => sum + entryBytes + (Number(expected.get(path)) || 0), 0)
  return bytes + bytes / 4 + foreignBytesMax
}

async function examineEach(paths: string[], work: Examination): Promise<void> {
  for (let start = 0; start < paths.length; start += readsAtOnce) {
    await Promise.all(paths.slice(start, start + readsAtOnce).map((path) => examineOne(path, work)))
  }
}

async function examineOne(path: string, { client, helper, expected, found }: Examination) {
  try {
    const source = await archive(client, helper, path)
    for await (const { entry } of examined(source, () => expected.get(path))) {
      if (entry) found.set(path, entry)
      return
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
