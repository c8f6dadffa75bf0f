import { isDeepStrictEqual } from 'node:util'
import { conflict } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import type { StackSource } from '../records/stack-source.ts'
import { applyPatch, checkPatch, type FilesPatch } from './apply-patch.ts'
import { type ChangeRights, checkChange } from './check-change.ts'
import type { LoadedStack } from './compose-input.ts'
import { decryptedCompose, readAsCompose } from './decrypted-compose.ts'
import { type LayeredEnv, layerEnv, storeEnvParts, withEnvLayer, withKeptEnv } from './env-parts.ts'
import type { LoadPorts } from './load-project.ts'
import { sourceAfter } from './managed-files.ts'
import { newRevision } from './new-revision.ts'
import { refuseSecretUses } from './refuse-secret-uses.ts'
import { refuseStale } from './refuse-stale.ts'
import { saversAfter } from './savers.ts'
import { decryptedIn, secretsIn, withoutHistory } from './secret-paths.ts'
import { type SharedVariables, setNames } from './shared-variables.ts'
import { getStack } from './stack-record.ts'
import { storeFiles } from './store-files.ts'
import { type SetPorts, takeSets } from './taken-sets.ts'
import { withTakenRevision } from './taken-source.ts'
import { readTexts, type StackTexts, type StoredTexts } from './texts.ts'
import { readTree } from './tree.ts'
import { checkTree } from './tree-check.ts'

export type ChangePorts = Needs<'stacks' | 'clock'> & LoadPorts & SetPorts

export interface FileChange extends ChangeRights {
  /** The revision that the change is based on. */
  revision?: number | undefined
  /** The names of the sets of variables that the stack takes from now on; undefined: the same. */
  sets?: readonly string[] | undefined
  /** Throws if the change is not meant for the stack as it is. */
  checkStack?(stack: StackRecord): void
  /**
   * What belongs to the record whether a file differs or not: what the client says of its
   * directory, and how the stack follows its source.
   */
  facts?: Pick<StackRecord, 'source' | 'unsentData'> | undefined
  /**
   * The files come from the source of the stack, which may change all of them. Those of these paths
   * were decrypted: they are secret, also for those who write to the source. `refusal` makes the
   * error for one of them that is read as a compose file.
   */
  bySource?: { decrypted: ReadonlySet<string>; refusal(path: string): Error }
  /** Returns further changes of the record that belong to the new files. */
  also?(files: StackFiles): Promise<Partial<StackRecord>>
}

/** Attempts to save while deployments or other requests change the record. */
const triesMax = 10

/**
 * Changes files of a stack as one revision, whole or not at all. Returns the stack, unchanged if
 * its files already are as the patch says.
 *
 * @throws 400 for an unsafe path or link, 404 if there is no such stack, 422 if the files are too
 *   many or too large, cannot be a directory, do not load or read a file as a compose file that a
 *   source encrypts, or the stack takes a set of variables that is gone, 403 if they access more
 *   than the caller may or would show the caller a secret, 409 if the revision is not the newest
 */
export async function changeFiles(
  name: string,
  patchOf: (stack: StackRecord) => FilesPatch,
  change: FileChange,
  ports: ChangePorts,
): Promise<StackRecord> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const stack = await getStack(name, ports)
    const next = await tryChangeFiles(stack, patchOf(stack), change, ports)
    if (next) return next
  }
  throw conflict(`stack ${name}: it is being changed by another request, try again`)
}

/** Like `changeFiles`, but returns undefined if another change was saved first. */
export async function tryChangeFiles(
  stack: Stored<StackRecord>,
  patch: FilesPatch,
  change: FileChange,
  ports: ChangePorts,
): Promise<Stored<StackRecord> | undefined> {
  checkPatch(patch, stack)
  const before = await readTexts(stack.files, ports)
  const patched = await applyPatch(before, patch, stack, ports)
  const layered = await layeredOf(stack, { before, patched, patch }, change, ports)
  const shared = await takeSets(change.sets ?? setNames(before.shared), stack.hostId, ports)
  const after = { ...patched, ...(layered && { env: layered.env }), shared }
  checkTree(after, { before, patch, stack }, await ports.settings.get())
  const known = knownOf(patch, layered)
  const taken = change.bySource?.decrypted ?? new Set<string>()
  const hidden = await hiddenBefore(stack, before, ports)
  const secrets = new Set([...hidden.secrets, ...taken])
  const mixed = layered?.mixed ?? new Set<string>()
  const uses = { stack, before, after, patch: known, secrets, decrypted: taken, mixed }
  await refuseSecretUses(uses, change, ports)
  const told = toldOf(change, known)
  const checked = await checkChange(told.rights, { stack, texts: after, ...told, secrets }, ports)
  const kept = [...hidden.decrypted].filter((path) => !patch.has(path))
  const encrypted = change.bySource ? taken : new Set(kept)
  const shown = decryptedCompose(checked.composeFiles, encrypted, after)
  if (shown !== undefined) throw (change.bySource?.refusal ?? readAsCompose)(shown)
  refuseStale(stack, change.revision)
  change.checkStack?.(stack)
  const isSame = isSameChange(after, before) && areMarked(taken, before)
  if (isSame) return withFacts(stack, change, layered, ports)
  const source = change.bySource
    ? change.facts?.source
    : sourceAfter(stack, { before, after, secrets: new Set([...secrets, ...checked.secretFiles]) })
  const marks = {
    named: checked.secretFiles,
    before: keepsSecret(secrets, told.rights),
    decrypted: new Set([...hidden.decrypted, ...taken]),
  }
  const savedBy = await saversAfter(stack, before, change.by, ports)
  const stored = { ...(await storeFiles(after, marks, ports)), savedBy }
  const layer = layered ? await storeEnvParts(layered.parts, ports) : layerOf(stack, before, after)
  const files = withEnvLayer(stored, layer)
  const revised = newRevision(stack, files)
  const following = source && followingAfter(stack, source, { revised, layered }, change)
  return ports.stacks.replace({
    ...stack,
    ...revised,
    services: stack.deployed ? stack.services : checked.services,
    updatedAt: ports.clock.now(),
    ...change.facts,
    ...(following && { source: following }),
    ...(await change.also?.(files)),
  })
}

/**
 * Returns whether texts have the same files and sets. What the sets have now is no change: a deploy
 * takes it.
 */
function isSameChange(
  { shared, ...after }: StackTexts,
  { shared: taken, ...before }: StackTexts,
): boolean {
  return isDeepStrictEqual([after, setNames(shared)], [before, setNames(taken)])
}

interface Patched {
  before: StoredTexts
  patched: StackTexts
  patch: FilesPatch
}

/** Returns the new `.env` of a stack that follows a source; undefined if it is not changed. */
async function layeredOf(
  stack: StackRecord,
  { before, patched, patch }: Patched,
  { bySource }: FileChange,
  ports: Needs<'texts'>,
): Promise<LayeredEnv | undefined> {
  if (!stack.source || !patch.has('.env')) return undefined
  const written = { before: before.env, written: patched.env, isOfSource: bySource !== undefined }
  return layerEnv(stack, written, ports)
}

/** Returns what the author of a change knows of the files: not the values of others in `.env`. */
function knownOf(patch: FilesPatch, layered: LayeredEnv | undefined): FilesPatch {
  if (!layered?.isMixed) return patch
  return new Map([...patch].filter(([path]) => path !== '.env'))
}

/** Returns how a stack follows its source with a new revision. */
function followingAfter(
  stack: StackRecord,
  source: StackSource,
  { revised, layered }: { revised: Revised; layered: LayeredEnv | undefined },
  { bySource }: FileChange,
): StackSource {
  const next = layered ? withKeptEnv(source, layered.parts) : source
  return withTakenRevision(stack, next, revised.contentRevision, bySource !== undefined)
}

type Revised = ReturnType<typeof newRevision>

/** Returns the parts of a `.env` that stays as it is. */
const layerOf = ({ files }: StackRecord, before: StackTexts, after: StackTexts) =>
  after.env === before.env ? files.envLayer : undefined

/** Returns whether the files of these paths are known to be decrypted ones. */
function areMarked(paths: ReadonlySet<string>, { tree }: StoredTexts): boolean {
  const marked = new Set(['.env', ...decryptedIn(tree)])
  return [...paths].every((path) => marked.has(path))
}

/**
 * Returns who reads why a change fails, and what they know of its files. Everyone who sees the
 * stack reads that of a change by its source, and those who write to the source are not known here.
 */
function toldOf(
  change: FileChange,
  patch: FilesPatch,
): { rights: ChangeRights; patch: FilesPatch } {
  if (!change.bySource) return { rights: change, patch }
  const { reach, by } = change
  return { rights: { reach, by, readsSecrets: false }, patch: new Map() }
}

/** Returns what the record of a stack says of the parts of its `.env`. */
async function withParts(
  { files, source }: StackRecord,
  { parts }: LayeredEnv,
  ports: Needs<'texts'>,
): Promise<Partial<StackRecord>> {
  const kept = source && { source: withKeptEnv(source, parts) }
  // Equal files of the source touch nothing.
  if (parts.own === null && !files.envLayer) return { ...kept }
  return { ...kept, files: withEnvLayer(files, await storeEnvParts(parts, ports)) }
}

/**
 * Saves what a change without other files says of the client's directory, and of the parts of a
 * `.env` that is the same as a whole.
 */
async function withFacts(
  stack: Stored<StackRecord>,
  { facts, bySource }: FileChange,
  layered: LayeredEnv | undefined,
  ports: Needs<'stacks' | 'texts'>,
): Promise<Stored<StackRecord> | undefined> {
  const parts = layered ? await withParts({ ...stack, ...facts }, layered, ports) : {}
  const saved = { ...stack, ...facts, ...parts }
  const { contentRevision } = stack
  // What a sync brings is the newest revision already.
  const { source } = saved
  const taken = bySource && source && withTakenRevision(stack, source, contentRevision, true)
  const next = { ...saved, ...(taken && { source: taken }) }
  return isDeepStrictEqual(next, stack) ? stack : ports.stacks.replace(next)
}

/** The files of a new stack besides its first compose file, and what it takes from sets. */
export interface NewFiles {
  patch: FilesPatch
  shared: SharedVariables | undefined
}

/**
 * Checks and stores the files of a new stack. Returns them with what is expected of its services.
 *
 * @throws what `changeFiles` throws
 */
export async function newFiles(
  stack: LoadedStack,
  compose: string,
  { patch, shared }: NewFiles,
  rights: ChangeRights,
  ports: LoadPorts,
): Promise<Pick<StackRecord, 'files' | 'services'>> {
  checkPatch(patch, stack)
  const before: StoredTexts = { compose, env: null, overlays: {}, tree: {} }
  const after = { ...(await applyPatch(before, patch, stack, ports)), shared }
  checkTree(after, { before, patch, stack }, await ports.settings.get())
  const checked = await checkChange(
    rights,
    { stack, texts: after, patch, secrets: new Set() },
    ports,
  )
  const stored = await storeFiles(after, withoutHistory(checked.secretFiles), ports)
  return { files: { ...stored, savedBy: [rights.by] }, services: checked.services }
}

interface Hidden {
  secrets: ReadonlySet<string>
  /** Those that a source encrypts. */
  decrypted: ReadonlySet<string>
}

/**
 * Returns the files of a stack that are secret: in its newest revision, or in what was last written
 * on its host, from where an import can bring them back.
 */
async function hiddenBefore(
  { written, files }: StackRecord,
  { tree }: StoredTexts,
  ports: Needs<'texts'>,
): Promise<Hidden> {
  const there = written && written.tree !== files.tree ? await readTree(written, ports) : {}
  // Earlier versions did not mark secret files, so all of theirs count as secret.
  const unmarked = [files, ...(written ? [written] : [])].flatMap(({ others }) =>
    Object.keys(others),
  )
  return {
    secrets: new Set([...secretsIn(tree), ...secretsIn(there), ...unmarked]),
    decrypted: new Set([...decryptedIn(tree), ...decryptedIn(there)]),
  }
}

/**
 * Returns which files stay secret whatever the compose files now say. Without `stacks:secrets` all
 * do: else a change of the compose files would let its author read what they used to protect.
 */
const keepsSecret = (
  secrets: ReadonlySet<string>,
  { readsSecrets }: ChangeRights,
): ReadonlySet<string> => (readsSecrets ? new Set() : secrets)
