import { lstat, stat } from 'node:fs/promises'
import { basename, join, posix, resolve } from 'node:path'
import type { Client } from '../api/client.ts'
import { ApiFailure, failed, hasCode, wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { writeWithBackpressure } from '../output/write-with-backpressure.ts'
import { extractTo } from './extract.ts'
import { type ContainerPlace, readArchive } from './read-archive.ts'
import { entriesIn, entriesOf, upload } from './upload.ts'

interface Context {
  api: Client
  io: Io
  print: Printer
}

/**
 * Copies a path of a container to a local path: into it if it is a directory, else as it. `-`
 * writes a tar archive to standard output.
 */
export async function copyOut(place: Copied, local: string, { api, io, print }: Context) {
  const path = withoutSlash(place.path)
  if (local === '-' && io.stdout.isTTY) {
    throw wrongUsage('-: the archive is not written to a terminal; redirect standard output')
  }
  const archive = readArchive(api, { id: place.id, host: place.host, path })
  if (local === '-') {
    for await (const part of archive) await writeWithBackpressure(io.stdout, part)
    return
  }
  const root = path === '/' ? '/' : posix.basename(path)
  const given = resolve(io.cwd, local)
  const isInto = (await isDirectory(given)) && !place.isContents
  const target = isInto && root !== '/' ? join(given, root) : given
  report(await extractTo(archive, root, target), print)
  print.line(`copied to ${clean(target)}`)
}

/**
 * Copies a local path into a container: into a directory that exists, else as the path. `-` reads a
 * tar archive from standard input.
 */
export async function copyIn(local: string, place: Copied, { api, io, print }: Context) {
  const path = withoutSlash(place.path)
  const { id, host } = place
  const kind = await kindOf(api, { id, host, path })
  const left: string[] = []
  if (local === '-') {
    if (kind !== 'directory') throw failed(`${clean(path)} is no directory in the container`)
    await upload(api, entriesIn(io.stdin, left), { id, host, path })
    report(left, print)
    return print.line(`copied to ${clean(path)}`)
  }
  const source = resolve(io.cwd, local)
  const found = await lstat(source).catch((cause) => {
    throw failed(`${clean(local)} cannot be read`, { cause })
  })
  const needsDirectory = place.path.endsWith('/') ? !found.isDirectory() : false
  if (kind === undefined ? needsDirectory : kind !== 'directory' && found.isDirectory()) {
    throw failed(`${clean(path)} is no directory in the container`)
  }
  const isInto = kind === 'directory'
  const directory = isInto ? path : posix.dirname(path)
  const own = isContents(local) && found.isDirectory() ? '' : basename(source)
  const name = isInto ? own : posix.basename(path)
  await upload(api, entriesOf(source, name, left), { id, host, path: directory })
  report(left, print)
  print.line(`copied to ${clean(posix.join(directory, name))}`)
}

/** A path in a container, and whether to copy its content instead of the directory itself. */
interface Copied extends ContainerPlace {
  isContents: boolean
}

/** Returns whether a path ends with `/.`, which stands for the content of the directory. */
const isContents = (path: string) => /(^|\/)\.$/.test(path)

const withoutSlash = (path: string) => posix.normalize(path).replace(/(.)\/$/, '$1')

function report(left: readonly string[], print: Printer): void {
  for (const one of left) print.note(`left out: ${clean(one)}`)
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw failed(`${clean(path)} cannot be read`, { cause: error })
  }
}

/** Returns what a path in a container is, after one link, or undefined if it does not exist. */
async function kindOf(api: Client, { id, host, path }: ContainerPlace, again = true) {
  try {
    const query = { host, path, stat: true }
    const { value } = await api.get('/containers/{id}/archive', { path: { id }, query })
    const isLink = value.kind === 'link' && value.link_target.startsWith('/') && again
    if (!isLink) return value.kind
    return kindOf(api, { id, host, path: value.link_target }, false)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
}

/** A container or service, and a path in it. */
export interface NamedPlace {
  name: string
  path: string
  /** The path ended with `/.`. */
  isContents: boolean
}

/** Splits `web:/etc/hosts`; undefined for a local path. */
export function placeIn(text: string): NamedPlace | undefined {
  const [, name, path] = /^([A-Za-z0-9][A-Za-z0-9_.-]*):(.*)$/s.exec(text) ?? []
  return name === undefined || path === undefined
    ? undefined
    : { name, path: posix.join('/', path), isContents: isContents(path) }
}
