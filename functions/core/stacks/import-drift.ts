import type { Stored } from '../collection.ts'
import type { Reach } from '../compose/project.ts'
import { fileBytesMax } from '../engine/engine.ts'
import { conflict, unprocessable } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { type FoundDrift, findDrift } from './drift.ts'
import { otherFile, textOf } from './other-files.ts'
import { checkTexts, type LoadPorts } from './project.ts'
import type { StackFiles, StackRecord } from './stack.ts'
import { composeFilesOf, keepTexts, overlayFile, readTexts, type StackTexts } from './texts.ts'

type ImportPorts = Needs<'stacks' | 'texts' | 'engines' | 'clock'> & LoadPorts

/**
 * Saves the files of a stack as they are on its host as a new revision. Returns the changed stack.
 *
 * @throws 422 if the files do not load, 403 if they access more than they may, 409 if the stack was
 *   changed in the meantime
 */
export async function importDrift(
  stack: Stored<StackRecord>,
  reach: Reach,
  ports: ImportPorts,
): Promise<Stored<StackRecord>> {
  const engine = await ports.engines.on(stack.hostId)
  const drift = await findDrift(stack, stack.files, engine, ports)
  if (drift.length === 0) return stack
  const texts = drift.reduce(
    (all, file) => imported(all, file, stack),
    await readTexts(stack.files, ports),
  )
  const services = await checkTexts(stack, texts, reach, ports)
  const files = await keepTexts(texts, ports)
  const written =
    stack.written &&
    drift.reduce((all, { path }) => withFileOf(all, files, path, stack), stack.written)
  const next = {
    ...stack,
    files,
    written,
    services: stack.deployed ? stack.services : services,
    contentRevision: stack.contentRevision + 1,
    updatedAt: ports.clock.now(),
  }
  const changed = await ports.stacks.replace(next)
  if (!changed)
    throw conflict(`stack ${stack.id}: it is being changed by another request, try again`)
  return changed
}

/**
 * Returns the texts with one file as it is on the host. A file that is missing there is removed.
 */
function imported(texts: StackTexts, { path, now }: FoundDrift, stack: StackRecord): StackTexts {
  if (now && now.content.length > fileBytesMax) {
    throw unprocessable(
      `${path}: the file on the host is too large to import: overwrite or delete it`,
    )
  }
  const file = now && otherFile(now.content, now.mode)
  const slot = slotOf(path, stack, texts)
  if (slot.kind === 'others') {
    const { [path]: _, ...rest } = texts.others
    return { ...texts, others: file === undefined ? rest : { ...rest, [path]: file } }
  }
  const text = file === undefined ? null : (textOf(file) ?? null)
  if (file !== undefined && text === null) throw unprocessable(`${path}: it is not UTF-8 text`)
  if (slot.kind === 'env') return { ...texts, env: text }
  if (slot.kind === 'overlays') {
    const { [slot.name]: _, ...rest } = texts.overlays
    return { ...texts, overlays: text === null ? rest : { ...rest, [slot.name]: text } }
  }
  if (text === null) throw unprocessable(`${path}: cannot be imported: it is missing on the host`)
  return { ...texts, compose: text }
}

/** Returns the digests with the digest of one file taken from `from`. */
function withFileOf(
  files: StackFiles,
  from: StackFiles,
  path: string,
  stack: StackRecord,
): StackFiles {
  const slot = slotOf(path, stack, files)
  if (slot.kind === 'compose') return { ...files, compose: from.compose }
  if (slot.kind === 'env') return { ...files, env: from.env }
  const key = slot.kind === 'overlays' ? slot.name : path
  const { [key]: _, ...rest } = files[slot.kind]
  const now = from[slot.kind][key]
  return { ...files, [slot.kind]: now === undefined ? rest : { ...rest, [key]: now } }
}

type Slot = { kind: 'compose' | 'env' | 'others' } | { kind: 'overlays'; name: string }

/** Returns which file of a stack has this path in its directory. */
function slotOf(
  path: string,
  stack: StackRecord,
  { overlays }: Pick<StackTexts | StackFiles, 'overlays'>,
): Slot {
  if (path === composeFilesOf(stack)[0]) return { kind: 'compose' }
  if (path === '.env') return { kind: 'env' }
  const name = Object.keys(overlays).find((one) => overlayFile(one) === path)
  return name === undefined ? { kind: 'others' } : { kind: 'overlays', name }
}
