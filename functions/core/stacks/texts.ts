import type { ComposeInput } from '../compose/project.ts'
import type { HostFile } from '../engine/engine.ts'
import { unprocessable } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { bytesOf, keepOther, type OtherFile, readOther, textOf } from './other-files.ts'
import type { Reading } from './project.ts'
import type { StackFiles, StackRecord } from './stack.ts'

/**
 * The texts of a stack. `overlays`: environment name → text of `compose.<name>.yaml`; `others`:
 * path → file.
 */
export interface StackTexts {
  compose: string
  env: string | null
  overlays: Record<string, string>
  others: Record<string, OtherFile>
}

/**
 * Stores the texts and returns their digests. All texts are encrypted, because users also write
 * passwords into compose files.
 */
export async function keepTexts(stack: StackTexts, { texts }: Needs<'texts'>): Promise<StackFiles> {
  const [compose, env, overlays, others] = await Promise.all([
    texts.put(stack.compose),
    stack.env === null ? null : texts.put(stack.env),
    mapValues(stack.overlays, (text) => texts.put(text)),
    mapValues(stack.others, (file) => keepOther(file, { texts })),
  ])
  return { compose, env, overlays, others }
}

/** Returns the texts with these digests. */
export async function readTexts(files: StackFiles, { texts }: Needs<'texts'>): Promise<StackTexts> {
  const [compose, env, overlays, others] = await Promise.all([
    texts.get(files.compose),
    files.env === null ? null : texts.get(files.env),
    mapValues(files.overlays, (digest) => texts.get(digest)),
    mapValues(files.others, (reference) => readOther(reference, { texts })),
  ])
  return { compose, env, overlays, others }
}

async function mapValues<T, R>(
  values: Record<string, T>,
  change: (value: T) => Promise<R>,
): Promise<Record<string, R>> {
  const entries = Object.entries(values).map(
    async ([name, value]) => [name, await change(value)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** Returns the file name of an overlay. */
export const overlayFile = (environment: string) => `compose.${environment}.yaml`

/**
 * Returns the names of a stack's compose files in its directory, in merge order, without overlays.
 */
export const composeFilesOf = ({ composeFiles }: Pick<StackRecord, 'composeFiles'>): string[] =>
  composeFiles ?? ['compose.yaml']

/** The files of a stack by kind, as texts or as digests. */
interface FileSet<T, O> {
  compose: T
  env: T | null
  overlays: Record<string, T>
  others: Record<string, O>
}

/** Returns all files by their path in the stack's directory. */
export function filesByPath<T, O>(
  files: FileSet<T, O>,
  stack: Pick<StackRecord, 'composeFiles'>,
): Record<string, T | O> {
  const { compose, env, overlays, others } = files
  const named = Object.entries(overlays).map(([name, file]) => [overlayFile(name), file] as const)
  return {
    ...others,
    ...Object.fromEntries(named),
    ...(env === null ? {} : { '.env': env }),
    [composeFilesOf(stack)[0]!]: compose,
  }
}

/** Returns the files to write on the host. Only the owner can read `.env`. */
export function hostFiles(texts: StackTexts, stack: Pick<StackRecord, 'composeFiles'>): HostFile[] {
  return Object.entries(filesByPath(texts, stack)).map(([path, file]) => ({
    path,
    content: bytesOf(file),
    mode: path === '.env' ? 0o600 : typeof file !== 'string' && file.executable ? 0o755 : 0o644,
  }))
}

/**
 * Returns the input of the loader for a stack.
 *
 * @throws 422 if there is no overlay for the environment
 */
export function composeInput(
  stack: Pick<StackRecord, 'id' | 'directory' | 'composeFiles' | 'writable'>,
  texts: StackTexts,
  { environment, reach }: Reading,
): ComposeInput {
  if (environment !== null && !Object.hasOwn(texts.overlays, environment)) {
    throw unprocessable(
      `environment ${environment}: the stack has no file ${overlayFile(environment)}`,
    )
  }
  return {
    name: stack.id,
    directory: stack.directory,
    composeFiles: [
      ...composeFilesOf(stack),
      ...(environment === null ? [] : [overlayFile(environment)]),
    ],
    files: readable(filesByPath(texts, stack)),
    environment: {},
    profiles: [],
    reach,
    writable: stack.writable,
  }
}

/** Returns the files that a compose file can refer to, which are those that are text. */
export function readable(files: Record<string, OtherFile>): Record<string, string> {
  const texts = Object.entries(files).flatMap(([path, file]) => {
    const text = textOf(file)
    return text === undefined ? [] : [[path, text] as const]
  })
  return Object.fromEntries(texts)
}
