import { UnreadFiles } from '../../compose/load/unread-files.ts'
import type { ComposeInput, Reach } from '../../compose/project.ts'
import { internalError, unprocessable } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink, type TreeEntry } from '../records/stack-tree.ts'
import { type NewFile, textOf } from './new-file.ts'
import { valuesOf } from './shared-variables.ts'
import {
  composeFilesOf,
  isNew,
  linksOf,
  overlayFile,
  type StackTexts,
  textsByPath,
} from './texts.ts'
import { entryAt, readFile } from './tree.ts'

/** What loading needs to know of a stack's record. */
export type LoadedStack = Pick<StackRecord, 'id' | 'directory' | 'composeFiles' | 'writable'>

/** How to load a stack's texts: the overlay to apply, and what its containers may access. */
export interface LoadSettings {
  environment: string | null
  reach: Reach
  /** The active profiles; without any, those that `COMPOSE_PROFILES` in `.env` names. */
  profiles?: readonly string[] | undefined
  /** Keeps the networks and volumes that no service uses. */
  allResources?: boolean | undefined
  /** Also lists what needs `stacks:privileged`; see `LoadedProject`. */
  listsPrivileged?: boolean | undefined
}

/**
 * Returns the input of the loader for a stack, without the files: see `loadReading`.
 *
 * @throws 422 if there is no overlay for the environment
 */
export function composeInput(
  stack: LoadedStack,
  texts: Pick<StackTexts, 'overlays' | 'shared'>,
  { environment, reach, profiles = [], allResources, listsPrivileged }: LoadSettings,
): Omit<ComposeInput, keyof InputFiles> {
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
    environment: {},
    ...(texts.shared && { shared: valuesOf(texts.shared) }),
    profiles: [...profiles],
    reach,
    writable: stack.writable,
    ...(allResources ? { allResources: true as const } : {}),
    ...(listsPrivileged ? { listsPrivileged: true as const } : {}),
  }
}

/** The files of a stack as the loader gets them. */
export type InputFiles = Required<Pick<ComposeInput, 'files' | 'unread' | 'links'>>

/** Files that include each other need one round for each level. */
const roundsMax = 50

/** Bytes of all files that one project may refer to and the loader reads. */
const readBytesMax = 16 * 1024 * 1024

/**
 * Loads a project and returns the result. Calls `load` with the texts of the stack and the names of
 * its other files, then again with the contents of those that it asks for, until it has all.
 *
 * @throws 422 if a file that it asks for is not text, or all of them are too large
 */
export async function loadReading<T>(
  stack: LoadedStack,
  texts: StackTexts,
  ports: Needs<'texts'>,
  load: (files: InputFiles) => Promise<T>,
): Promise<T> {
  const files = new Map(Object.entries(textsByPath(texts, stack)))
  const unread = sizesOf(texts.tree)
  const links = linksOf(texts.tree)
  let wanted = composeFilesOf(stack).filter((path) => unread.has(path))
  let bytes = 0
  for (let round = 0; round < roundsMax; round += 1) {
    bytes += wanted.reduce((sum, path) => sum + (unread.get(path) ?? 0), 0)
    if (bytes > readBytesMax) throw tooLarge()
    for (const path of wanted) unread.delete(path)
    const read = wanted.map(async (path) => [path, await readText(path, texts, ports)] as const)
    for (const [path, text] of await Promise.all(read)) files.set(path, text)
    try {
      return await load({
        files: Object.fromEntries(files),
        unread: Object.fromEntries(unread),
        links,
      })
    } catch (error) {
      if (!(error instanceof UnreadFiles)) throw error
      wanted = error.paths.filter((path) => unread.has(path))
      if (wanted.length === 0) throw internalError('The loader asks for files that it has')
    }
  }
  throw unprocessable('the compose files include each other too deeply', { reason: 'limit' })
}

const tooLarge = () =>
  unprocessable('the compose files refer to more than 16 MiB of files that have to be read', {
    reason: 'limit',
  })

/** Returns the size of each file of a tree. Links have none. */
function sizesOf(tree: StackTexts['tree']): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const [path, file] of Object.entries(tree)) {
    if (isNew(file)) sizes.set(path, file.content.length)
    else if (!isLink(file)) sizes.set(path, file.size)
  }
  return sizes
}

async function readText(
  path: string,
  { tree }: StackTexts,
  ports: Needs<'texts'>,
): Promise<string> {
  return textOf(path, await contentOf(entryAt(tree, path), ports))
}

/** Returns the content of a file. */
async function contentOf(
  file: TreeEntry | NewFile | undefined,
  ports: Needs<'texts'>,
): Promise<Uint8Array> {
  if (!file || (!isNew(file) && isLink(file))) throw internalError('A file of a stack is missing')
  return isNew(file) ? file.content : readFile(file, ports)
}
