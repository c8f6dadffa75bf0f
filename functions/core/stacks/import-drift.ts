import { ownEntry } from '../../compose/lookup.ts'
import { conflict, unprocessable } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import { type Engine, fileBytesMax } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import type { TreeLink } from '../records/stack-tree.ts'
import type { PatchFile } from './apply-patch.ts'
import { type ChangePorts, tryChangeFiles } from './change-files.ts'
import type { ChangeRights } from './check-change.ts'
import { type FoundDrift, findDrift } from './drift.ts'
import { withEnvLayer } from './env-parts.ts'
import { requireOwnDirectory } from './foreign-files.ts'
import { loadOwned } from './load-project.ts'
import { textFileAt } from './text-file.ts'
import { mainFileOf } from './texts.ts'
import { entryAt, readTree, storeTree } from './tree.ts'

type ImportPorts = ChangePorts & Needs<'engines'>

/**
 * Saves the files of a stack as they are on its host as a new revision. Returns the changed stack.
 *
 * @throws 422 if the files do not load, 403 if they access more than they may, 409 if the stack was
 *   changed in the meantime
 */
export async function importDrift(
  stack: Stored<StackRecord>,
  rights: ChangeRights,
  ports: ImportPorts,
): Promise<Stored<StackRecord>> {
  const engine = await ports.engines.on(stack.hostId)
  const owned = await loadOwned(stack, stack.files, ports)
  const drift = await findDrift(stack, stack.files, engine, ports, owned)
  if (drift.length === 0) return stack
  requireOwnDirectory(stack, rights.reach)
  const present = await readNow(drift, stack, engine)
  const patch = new Map(drift.map(({ path }) => [path, imported(path, present.get(path), stack)]))
  const env = await storedEnv(present.get('.env'), ports)
  // The `.env` of a stack that follows a source can be saved with its comments in other places.
  const also = async (files: StackFiles) => ({
    written:
      stack.written && (await withFilesOf(stack.written, { ...files, env }, drift, stack, ports)),
  })
  const changed = await tryChangeFiles(stack, patch, { ...rights, also }, ports)
  if (!changed)
    throw conflict(`stack ${stack.id}: it is being changed by another request, try again`)
  return changed
}

/** Returns the drifted files as they are on the host; missing ones are left out. */
async function readNow(
  drift: readonly FoundDrift[],
  stack: StackRecord,
  engine: Engine,
): Promise<Map<string, PatchFile | TreeLink>> {
  const here = drift.flatMap(({ path, now }) => (now ? [{ path, now }] : []))
  const links = here.flatMap(({ path, now }) =>
    'link' in now ? [[path, { link: now.link }] as const] : [],
  )
  const paths = here.flatMap(({ path, now }) => ('link' in now ? [] : path))
  const files = (await engine.readFiles(stack.directory, paths)).map(
    ({ path, content, mode }) => [path, { content, mode: mode & 0o777 }] as const,
  )
  return new Map<string, PatchFile | TreeLink>([...links, ...files])
}

/** Stores the text of `.env` as it is on the host, and returns its digest. */
async function storedEnv(
  now: PatchFile | TreeLink | undefined,
  { texts }: Needs<'texts'>,
): Promise<string | null> {
  return now && 'content' in now ? texts.put(Buffer.from(now.content).toString()) : null
}

/** Returns a file as it is on the host; null, to remove it, if it is missing there. */
function imported(
  path: string,
  now: PatchFile | TreeLink | undefined,
  stack: StackRecord,
): PatchFile | TreeLink | null {
  if (!now && path === mainFileOf(stack))
    throw unprocessable(`${path}: cannot be imported: it is missing on the host`)
  if (now && 'link' in now && textFileAt(path, stack))
    throw unprocessable(`${path}: a link cannot be imported`)
  if (now && 'content' in now && now.content.length > fileBytesMax) {
    throw unprocessable(
      `${path}: the file on the host is too large to import: overwrite or delete it`,
    )
  }
  return now ?? null
}

/** Returns the digests with those of the drifted files taken from `from`. */
async function withFilesOf(
  files: StackFiles,
  from: StackFiles,
  drift: readonly FoundDrift[],
  stack: StackRecord,
  ports: Needs<'texts'>,
): Promise<StackFiles> {
  const { compose, env, overlays } = from
  const [kept, next] = await Promise.all([readTree(files, ports), readTree(from, ports)])
  // A map, because a path can be `__proto__`.
  const tree = new Map(Object.entries(kept))
  let result: StackFiles = { ...files, others: {} }
  for (const { path } of drift) {
    const textFile = textFileAt(path, stack)
    if (textFile?.kind === 'compose') result = { ...result, compose }
    else if (textFile?.kind === 'env') result = { ...result, env }
    else if (textFile) {
      const { [textFile.environment]: _, ...rest } = result.overlays
      const now = ownEntry(overlays, textFile.environment)
      const overlay = now === undefined ? {} : { [textFile.environment]: now }
      result = { ...result, overlays: { ...rest, ...overlay } }
    } else {
      const now = entryAt(next, path)
      if (now) tree.set(path, now)
      else tree.delete(path)
    }
  }
  const { tree: _, savedBy: __, ...rest } = result
  const digest = await storeTree(Object.fromEntries(tree), ports)
  const { savedBy, envLayer } = from
  const withTree = { ...rest, ...(digest !== undefined && { tree: digest }) }
  return withEnvLayer({ ...withTree, ...(savedBy && { savedBy }) }, envLayer)
}
