import { Failure } from '../../errors.ts'
import type { Bytes } from '../../ports/backup-targets.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import { hasOwnDirectory } from '../../records/stack.ts'
import { isLink, type StackTree } from '../../records/stack-tree.ts'
import { getStack } from '../../stacks/stack-record.ts'
import { allFiles, readTexts } from '../../stacks/texts.ts'
import { readFile } from '../../stacks/tree.ts'
import { beginTar, tarOf } from '../../tar/make.ts'
import type { BackupPart } from './backup-parts.ts'
import { contentName, savedStackName, saveStack } from './saved-stack.ts'

type ArchivePorts = Needs<'stacks' | 'texts' | 'systemArchive'>

/** The Engine from which the files of a part are read. */
export interface ArchiveSource {
  engine: Engine
  /** The ID of the run that the work on the Engine belongs to. */
  owner: string
  signal: AbortSignal
}

/** Returns the tar archive of a part. */
export function archiveOf(part: BackupPart, source: ArchiveSource, ports: ArchivePorts): Bytes {
  const { engine, owner, signal } = source
  if (part.kind === 'system') return ports.systemArchive.read(signal)
  if (part.kind === 'stack') return stackArchive(part, source, ports)
  return engine.readArchive({ kind: 'volume', name: part.source }, owner, signal)
}

/**
 * Yields the stack's record, the contents of its tree, and its directory. If there is no directory,
 * or files in it are not the stack's, yields the files that a deployment would write there. Only
 * one content is in memory at a time.
 */
async function* stackArchive(
  { source: name, volumes }: Extract<BackupPart, { kind: 'stack' }>,
  { engine, owner, signal }: ArchiveSource,
  ports: ArchivePorts,
): AsyncGenerator<Uint8Array, void, void> {
  const stack = await getStack(name, ports)
  const texts = await readTexts(stack.files, ports)
  const saved = Buffer.from(`${JSON.stringify(saveStack(stack, texts, volumes), null, 2)}\n`)
  yield await beginTar([{ path: savedStackName, content: saved, mode: 0o600 }])
  yield* contentsOf(texts.tree, signal, ports)
  const stored = async () => directoryOf(await allFiles(stack.files, stack, ports), signal, ports)
  if (!hasOwnDirectory(stack)) {
    yield* await stored()
    return
  }
  let hasStarted = false
  try {
    const place = { kind: 'directory', path: stack.directory } as const
    for await (const chunk of engine.readArchive(place, owner, signal)) {
      hasStarted = true
      yield chunk
    }
  } catch (error) {
    const isMissing = error instanceof Failure && error.status === 404
    if (hasStarted || !isMissing) throw error
    yield* await stored()
  }
}

async function* contentsOf(tree: StackTree, signal: AbortSignal, ports: ArchivePorts) {
  const yielded = new Set<string>()
  for (const entry of Object.values(tree)) {
    if (isLink(entry) || yielded.has(entry.sha256)) continue
    signal.throwIfAborted()
    yielded.add(entry.sha256)
    const content = await readFile(entry, ports)
    yield await beginTar([{ path: contentName(entry.sha256), content, mode: 0o600 }])
  }
}

async function* directoryOf(tree: StackTree, signal: AbortSignal, ports: ArchivePorts) {
  for (const [path, entry] of Object.entries(tree)) {
    signal.throwIfAborted()
    const file = isLink(entry)
      ? { link: entry.link, content: new Uint8Array(), mode: 0o777 }
      : { content: await readFile(entry, ports), mode: entry.mode }
    yield await beginTar([{ ...file, path: `data/${path}` }])
  }
  yield await tarOf([])
}
