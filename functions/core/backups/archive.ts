import type { Engine } from '../engine/engine.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { getStack } from '../stacks/locate.ts'
import { hostFiles, readTexts } from '../stacks/texts.ts'
import { beginTar, tarOf } from '../tar/make.ts'
import type { BackupPart } from './parts.ts'
import type { Bytes } from './ports.ts'
import { savedStackName, saveStack } from './saved-stack.ts'

type ArchivePorts = Needs<'stacks' | 'texts' | 'systemArchive'>

/** Where the files of a part are read. */
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
 * Yields the stack's record, then its directory. If there is no directory, yields the files that a
 * deployment would write there.
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
  let begun = false
  try {
    const place = { kind: 'directory', path: stack.directory } as const
    for await (const chunk of engine.readArchive(place, owner, signal)) {
      begun = true
      yield chunk
    }
  } catch (error) {
    const isMissing = error instanceof Failure && error.status === 404
    if (begun || !isMissing) throw error
    const files = hostFiles(texts, stack)
    yield await tarOf(files.map((file) => ({ ...file, path: `data/${file.path}` })))
  }
}
