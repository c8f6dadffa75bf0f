import { posix } from 'node:path'
import { conflict, notFound } from '../../../functions/core/errors.ts'
import type { ContainerPath } from '../../../functions/core/records/container-path.ts'
import { tarEntries } from '../../../functions/core/tar/entries.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import type { MemoryContainer } from './engine-state.ts'

/** The files of a container in memory are those that were uploaded into it, below `/`. */
const filesOf = ({ uploads }: MemoryContainer) =>
  new Map(Object.entries(uploads).map(([path, text]) => [posix.join('/', path), text]))

const below = (directory: string) => (directory === '/' ? '/' : `${directory}/`)
const isDirectory = (container: MemoryContainer, path: string) =>
  ['/', '/tmp'].includes(path) ||
  [...filesOf(container).keys()].some((one) => one.startsWith(below(path)))

export function statPath(container: MemoryContainer, path: string): ContainerPath {
  const text = filesOf(container).get(path)
  const rest = { linkTarget: '' }
  if (text !== undefined)
    return { kind: 'file', size: Buffer.byteLength(text), mode: 0o644, ...rest }
  if (isDirectory(container, path)) return { kind: 'directory', size: 4096, mode: 0o755, ...rest }
  throw notFound(`container ${container.id}: there is no ${path}`)
}

export async function* readPath(
  container: MemoryContainer,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  signal.throwIfAborted()
  statPath(container, path)
  const root = posix.dirname(path)
  const found = [...filesOf(container)].filter(
    ([one]) => one === path || one.startsWith(below(path)),
  )
  const files = found.map(([one, text]) => ({
    path: posix.relative(root, one),
    content: Buffer.from(text),
    mode: 0o644,
    modified: new Date(0),
  }))
  const bytes = await tarOf(files)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

export async function writePath(
  container: MemoryContainer,
  directory: string,
  archive: Buffer,
): Promise<void> {
  if (!isDirectory(container, directory)) throw notFound('the container has no such path')
  const bytes = async function* () {
    yield archive
  }
  for await (const { header, content } of tarEntries(bytes())) {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    const path = posix.join(directory, header.name).replace(/\/$/, '')
    const isOther =
      header.type === 'file' ? isDirectory(container, path) : filesOf(container).has(path)
    if (isOther) throw conflict('a file and a directory have the same path', { reason: 'conflict' })
    if (header.type === 'file') container.uploads[path] = Buffer.concat(chunks).toString()
  }
}
