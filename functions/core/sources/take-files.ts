import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../access/actor.ts'
import { scopePorts } from '../access/scope.ts'
import { conflict, unprocessable } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { SourceTree } from '../ports/source-reader.ts'
import type { SettingValues } from '../records/settings.ts'
import type { Source } from '../records/source.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackSource } from '../records/stack-source.ts'
import type { TreeEntry } from '../records/stack-tree.ts'
import { tryChangeFiles } from '../stacks/change-files.ts'
import { changeRightsOf } from '../stacks/check-change.ts'
import { fileBatches } from '../stacks/file-batches.ts'
import { shownPath } from '../stacks/file-path.ts'
import { keptMax, tooManyKept } from '../stacks/managed-files.ts'
import { getStack } from '../stacks/stack-record.ts'
import { textFileAt } from '../stacks/text-file.ts'
import { allFiles, composeFilesOf, mainFileOf } from '../stacks/texts.ts'
import { checkFileSize, checkSize } from '../stacks/tree-limits.ts'
import { composeFileNames } from './compose-folders.ts'
import { decryptFile } from './sops/decrypt-file.ts'
import { notDecrypted } from './sops/not-decrypted.ts'
import type { BoundStack } from './stack-source-record.ts'
import { isBound } from './stack-source-record.ts'
import type { SyncPorts } from './sync-ports.ts'

/** Files of a source by their path in its folder, with their contents in the store. */
export type SourceFiles = ReadonlyMap<string, TreeEntry>

/** What a folder of a source has. */
export interface SourceContent {
  files: SourceFiles
  /** The paths of the files that were decrypted. Their contents are secret. */
  decrypted: ReadonlySet<string>
}

/** Attempts to save while other requests change the record. */
const triesMax = 10

/**
 * Makes what a source has the files of a stack, with the rights of an account and through the same
 * checks as files that it types. Files that are kept here stay. One write saves the files and how
 * far the stack follows, so that a killed process leaves both or neither.
 *
 * @param bound the stack as it was when this was decided
 * @param next how the stack follows its source then
 * @param signal nothing is saved once it aborts
 * @returns the stack, or undefined if it was bound again, synced by another process or deleted
 *   meanwhile: this one may have been paused
 * @throws what `tryChangeFiles` throws, SourceFailure for a compose file that was encrypted, and
 *   the reason of the signal
 */
export async function takeFiles(
  bound: BoundStack,
  { files, decrypted }: SourceContent,
  next: (now: StackSource) => StackSource,
  actor: Actor,
  ports: SyncPorts,
  signal: AbortSignal,
): Promise<BoundStack | undefined> {
  const scoped = scopePorts(ports, actor)
  for (let tries = 0; tries < triesMax; tries += 1) {
    const stack = await getStack(bound.id, ports)
    if (!isBound(stack) || isPast(bound, stack)) return undefined
    refuseEncryptedCompose(decrypted, stack)
    const present = await allFiles(stack.files, stack, ports)
    const named = withMainFile(files, stack)
    const kept = keptOf(stack, named, present)
    const patch = new Map<string, TreeEntry | null>(
      Object.keys(present).map((path) => [path, null] as const),
    )
    for (const [path, entry] of named) patch.set(path, entry)
    for (const path of kept) patch.delete(path)
    // Also if neither has one: what is kept of it is told apart then.
    if (!patch.has('.env')) patch.set('.env', null)
    const facts = { source: { ...next(stack.source), kept: [...kept].sort() } }
    const secret = new Set([...decrypted].filter((path) => !kept.has(path)))
    const bySource = { decrypted: secret, refusal: shownCompose }
    const change = { ...changeRightsOf(actor), facts, bySource }
    signal.throwIfAborted()
    const saved = await tryChangeFiles(stack, patch, change, scoped)
    if (saved && isBound(saved)) return saved
  }
  throw conflict(`stack ${bound.id}: it is being changed by other requests`, {
    reason: 'lease-held',
  })
}

/** Returns whether a stack was bound again or synced since it was as before. */
function isPast(before: BoundStack, now: BoundStack): boolean {
  const [old, own] = [before, now].map(({ source: { boundAt, comparedRevision, synced } }) => [
    boundAt,
    comparedRevision,
    synced,
  ])
  return !isDeepStrictEqual(old, own)
}

/**
 * Compose files are shown to all who read the stack, so what was encrypted in one would be too.
 *
 * @throws SourceFailure that names the file
 */
function refuseEncryptedCompose(decrypted: ReadonlySet<string>, stack: StackRecord): void {
  const isShown = (path: string) =>
    composeFileNames.includes(path) ||
    composeFilesOf(stack).includes(path) ||
    textFileAt(path, stack)?.kind === 'overlay'
  const path = [...decrypted].find(isShown)
  if (path !== undefined) throw shownCompose(path)
}

/** Returns the refusal of an encrypted file that is one, by its name or as another reads it. */
const shownCompose = (path: string) =>
  notDecrypted(
    path,
    'and a compose file is shown to all who may read the stack: put its secret values into an encrypted .env, and leave it as it is',
  )

/** Gives the compose file of the source the name that it has in the stack. */
function withMainFile(files: SourceFiles, stack: StackRecord): SourceFiles {
  const main = mainFileOf(stack)
  if (files.has(main)) return files
  const found = composeFileNames.find((name) => files.has(name))
  const entry = found === undefined ? undefined : files.get(found)
  if (found === undefined || entry === undefined) {
    throw unprocessable(`stack ${stack.id}: its source has no ${main} in this folder`, {
      reason: 'source-refused',
    })
  }
  return new Map([...files].map(([path, one]) => [path === found ? main : path, one] as const))
}

/**
 * Returns which whole files are kept here. The first time, those are the files that the source does
 * not have, so that nothing is lost. What is kept of `.env` is decided by its variables; see
 * `layerEnv`.
 */
function keptOf(
  stack: BoundStack,
  files: SourceFiles,
  present: Record<string, TreeEntry>,
): ReadonlySet<string> {
  const { synced, kept } = stack.source
  const isWhole = (path: string) => path !== '.env'
  if (synced) return new Set(kept.filter(isWhole))
  const own = Object.keys(present).filter((path) => !files.has(path) && isWhole(path))
  if (own.length > keptMax) {
    throw unprocessable(tooManyKept(stack.id, own.length), { reason: 'limit' })
  }
  return new Set([...kept.filter(isWhole), ...own])
}

/** Encrypted files of a folder, and their bytes: parsing them takes turns of the process. */
const encryptedMax = 200
const encryptedBytesMax = 2 * 1024 * 1024

/** A folder of a source that is open. */
export interface OpenFolder {
  tree: SourceTree
  path: string
  source: Pick<Source, 'age' | 'id'>
}

/**
 * Reads the files of a folder of a source into the store, a few at a time, and decrypts those that
 * sops encrypted. A sweep removes those that no record ever refers to.
 *
 * @throws SourceFailure, or 422 if they are too many or too large
 */
export async function readSource(
  { tree, path, source }: OpenFolder,
  limits: SettingValues,
  ports: Needs<'sourceKeys' | 'texts'>,
): Promise<SourceContent> {
  const batches = fileBatches(ports)
  const links = new Map<string, TreeEntry>()
  const decrypted = new Set<string>()
  let files = 0
  let bytes = 0
  let [parsedFiles, parsedBytes] = [0, 0]
  const countParsed = (count: number) => {
    parsedFiles += 1
    parsedBytes += count
    if (parsedFiles > encryptedMax || parsedBytes > encryptedBytesMax) {
      throw tooManyEncrypted(source.id, path)
    }
  }
  for await (const file of tree.files(path)) {
    files += 1
    if ('content' in file) {
      checkFileSize(file.path, file.content.length, limits)
      bytes += file.content.length
    }
    checkSize({ files, bytes }, { files: 0, bytes: 0 }, limits)
    if ('link' in file) {
      links.set(file.path, { link: file.link })
      continue
    }
    const { age } = source
    const { sourceKeys } = ports
    const plain = await decryptFile(file.path, file.content, age, sourceKeys, countParsed)
    if (plain) decrypted.add(file.path)
    await batches.add(file.path, plain ?? file.content, file.mode)
  }
  return { files: new Map<string, TreeEntry>([...(await batches.end()), ...links]), decrypted }
}

function tooManyEncrypted(source: string, path: string) {
  const where = path === '' ? 'it' : `its folder ${shownPath(path)}`
  return unprocessable(
    `source ${source}: ${where} has more than ${encryptedMax} encrypted files, or more than 2 MiB of them: put some into another folder`,
    { reason: 'limit' },
  )
}
