import type { Plan } from '../compose/plan/draft.ts'
import type { MovedImage } from '../compose/plan/moved-images.ts'
import type { Engine, HostFile } from '../engine/engine.ts'
import { conflict } from '../errors.ts'
import { askHost } from '../hosts/ask-host.ts'
import { refuseMoved } from '../images/decide-images.ts'
import type { Needs } from '../ports.ts'
import type { DeploymentKind, DeployOptions, StackFiles, StackRecord } from './stack.ts'
import { filesByPath, hostFiles, readTexts } from './texts.ts'

/** A file on the host that differs from what was last written. */
export interface Drift {
  path: string
  change: 'modified' | 'missing'
}

/** A drift with the current content. */
export interface FoundDrift extends Drift {
  now: HostFile | undefined
}

/**
 * Compares the stack's directory with what was last written there. Returns the differences sorted
 * by path. A file that the service never wrote, at the path of one of `files`, counts as modified.
 * Files that `files` would overwrite or delete are always read from the host, never from a cache.
 *
 * @throws what the Engine throws
 */
export async function findDrift(
  stack: StackRecord,
  files: StackFiles,
  engine: Engine,
  ports: Needs<'texts'>,
): Promise<FoundDrift[]> {
  const texts = stack.written && (await readTexts(stack.written, ports))
  const written = new Map(
    (texts ? hostFiles(texts, stack) : []).map(({ path, content }) => [path, content]),
  )
  const paths = [...new Set([...written.keys(), ...Object.keys(filesByPath(files, stack))])]
  const found = await readPaths(paths, stack, files, engine)
  const byPath = new Map(found.map((file) => [file.path, file]))
  return paths
    .flatMap((path): FoundDrift[] => {
      const now = byPath.get(path)
      const before = written.get(path)
      if (!now) return before ? [{ path, change: 'missing', now }] : []
      return before && same(now.content, before) ? [] : [{ path, change: 'modified', now }]
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/**
 * Reads the files of a stack on the host. Files that the order leaves unchanged may come from a
 * cache; files that it replaces may not.
 */
async function readPaths(paths: string[], stack: StackRecord, files: StackFiles, engine: Engine) {
  const before = stack.written ? filesByPath(stack.written, stack) : {}
  const after = filesByPath(files, stack)
  const stays = (path: string) => before[path] === after[path]
  const reads = await Promise.all([
    engine.readFiles(stack.directory, paths.filter(stays), { known: true }),
    engine.readFiles(
      stack.directory,
      paths.filter((path) => !stays(path)),
    ),
  ])
  return reads.flat()
}

/** The time limit for reading drift where a stack is also shown without it. Milliseconds. */
const shownWithin = 5_000

/** Returns the drift of a stack without the contents; none if its host does not respond. */
export async function driftOf(
  stack: StackRecord,
  ports: Needs<'texts' | 'engines' | 'clock'>,
): Promise<Drift[]> {
  if (!stack.written) return []
  const look = (engine: Engine) => findDrift(stack, stack.files, engine, ports)
  const found = await askHost(stack.hostId, ports, look, shownWithin).catch(() => [])
  return found.map(({ path, change }) => ({ path, change }))
}

/**
 * Returns the drift that a deploy would overwrite. A file that already has the wanted content is
 * left out.
 */
export function driftAgainst(drift: FoundDrift[], wanted: readonly HostFile[]): FoundDrift[] {
  const byPath = new Map(wanted.map((file) => [file.path, file.content]))
  return drift.filter(({ path, now }) => {
    const content = byPath.get(path)
    return now ? !content || !same(now.content, content) : content !== undefined
  })
}

/**
 * Refuses a deploy that would overwrite files edited on the host, or use images that moved there,
 * unless the caller accepted them.
 *
 * @throws 409 that lists the files or images
 */
export function refuseDrift<
  T extends {
    drift: Drift[]
    moved: MovedImage[]
    plan: Plan
    order: { kind: DeploymentKind; stack: { id: string }; options: DeployOptions }
  },
>(ready: T): T {
  const { drift, order } = ready
  refuseMoved(order.stack.id, ready.moved, ready.plan)
  if (drift.length === 0 || order.options.overwriteDrift) return ready
  const files = drift.map(({ path, change }) => `${path} (${change})`).join(', ')
  throw conflict(
    `stack ${order.stack.id}: files were edited on the host: ${files}; ` +
      (order.kind === 'rollback'
        ? 'set on_drift to overwrite to replace them'
        : 'set on_drift to overwrite to replace them, or to import to keep them as a new revision'),
  )
}

const same = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0
