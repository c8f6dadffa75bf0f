import { z } from 'zod'
import { ownEntry } from '../../../compose/lookup.ts'
import type { VolumeConfig } from '../../../compose/project.ts'
import { unusable } from '../../errors.ts'
import type { Bytes } from '../../ports/backup-targets.ts'
import type { Needs } from '../../ports/ports.ts'
import { checkedHostPath } from '../../stacks/host-path.ts'
import type { SharedVariables } from '../../stacks/shared-variables.ts'
import { type StoredTexts, storeNewFiles } from '../../stacks/texts.ts'
import { type TarEntry, tarEntries } from '../../tar/entries.ts'
import {
  type SavedStack,
  type SavedVariables,
  savedFileOf,
  savedStackName,
} from '../contents/saved-stack.ts'
import { checkSavedFiles, readAll, storeContents } from './saved-contents.ts'

const text = z.string()
/** The name of an overlay, or of a set of variables. */
const environment = text.regex(/^[a-z0-9][a-z0-9_-]{0,62}$/)
const path = text.refine(isHostPath)

function isHostPath(value: string): boolean {
  try {
    return checkedHostPath(value) === value
  } catch {
    return false
  }
}

const mode = z.number().int().min(0).max(0o777)
const link = z.object({ link: text.min(1) })
const SavedFile = z.object({
  encoding: z.enum(['utf8', 'base64']),
  content: text,
  executable: z.boolean(),
  mode: mode.optional(),
})
const SavedEntry = z.object({
  sha256: text.regex(/^[0-9a-f]{64}$/),
  size: z.number().int().min(0),
  mode,
  secret: z.literal(true).optional(),
  decrypted: z.literal(true).optional(),
})

/**
 * The schema of `SavedStack`. Ignores fields that later versions add. The paths of the tree are
 * checked with the files of the stack.
 */
const Saved = z.object({
  format: z.union([z.literal(1), z.literal(2)]),
  name: text,
  directory: text,
  adopted: z.boolean(),
  compose_files: z.array(path).min(1),
  environment: text.nullable(),
  compose: text,
  env: text.nullable(),
  overlays: z.record(environment, text),
  saved_by: z.array(z.object({ id: text, name: text })).optional(),
  shared: z
    .object({
      variables: z.record(text, z.object({ value: text, set: text })),
      sets: z.array(environment).min(1).max(20),
    })
    .optional(),
  others: z.record(path, z.union([SavedFile, link])).optional(),
  tree: z.array(z.tuple([text, z.union([SavedEntry, link])])).default([]),
  volumes: z.array(z.object({ key: text, name: text, external: z.boolean() })),
})

/** More than the texts of a stack may have. */
const savedBytesMax = 128 * 1024 * 1024

/** A saved stack. Its files are stored, but no record refers to them yet. */
export interface RestoredStack {
  saved: Omit<SavedStack, 'tree' | 'others'>
  texts: StoredTexts
}

/**
 * Returns the record of a stack from the beginning of its archive, and stores the contents of its
 * tree. The directory in the archive is not read.
 *
 * @throws 422 if the archive does not start with the record and all contents, or the service would
 *   not accept the files of the stack
 */
export async function readSaved(
  archive: Bytes,
  name: string,
  ports: Needs<'texts' | 'settings'>,
): Promise<RestoredStack> {
  const limits = await ports.settings.get()
  const entries = tarEntries(archive)[Symbol.asyncIterator]()
  try {
    const first = await entries.next()
    const given = first.done ? undefined : await savedIn(first.value, name)
    if (!given) throw unusable(`the archive of the stack ${name} does not begin with its record`)
    const { tree: listed, others = {}, ...saved } = given
    const older = Object.entries(others).map(([at, file]) => [at, savedFileOf(file)] as const)
    checkSavedFiles(given, [...older, ...listed], limits)
    const tree = {
      ...(await storeNewFiles(Object.fromEntries(older), ports)),
      ...(await storeContents(name, listed, entries, ports)),
    }
    const { compose, env, overlays, shared } = saved
    const taken = shared && { shared: sharedOf(shared) }
    return { saved, texts: { compose, env, overlays, tree, ...taken } }
  } finally {
    await entries.return?.()
  }
}

/**
 * Returns what a stack took from sets. Whatever those have now is a change, and the account that
 * restores the stack stands in for those that wrote the values.
 */
const sharedOf = ({ variables, sets }: SavedVariables): SharedVariables => ({
  variables,
  sets: sets.map((name) => ({ name, changedAt: 0, savedBy: [] })),
})

async function savedIn({ header, content }: TarEntry, name: string) {
  if (header.name !== savedStackName || (header.size ?? 0) > savedBytesMax) return undefined
  const saved = parseSaved((await readAll(content)).toString())
  return saved?.name === name ? saved : undefined
}

function parseSaved(json: string): SavedStack | undefined {
  try {
    return Saved.parse(JSON.parse(json))
  } catch {
    return undefined
  }
}

/**
 * Returns the key and the name on the Engine of a saved stack's volume, for the name under which
 * the stack is restored. The key is undefined for a volume that the stack does not create.
 */
export const currentVolumeName = (
  saved: Pick<SavedStack, 'volumes'>,
  name: string,
  volumes: Record<string, VolumeConfig>,
): { key: string | undefined; name: string } => {
  const known = saved.volumes.find((volume) => volume.name === name)
  const now = known && ownEntry(volumes, known.key)
  return { key: now && !now.external ? known.key : undefined, name: now?.name ?? name }
}
