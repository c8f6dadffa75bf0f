import { must } from '../../compose/must.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { isLink, plainMode, type StackTree, type TreeEntry } from '../records/stack-tree.ts'
import { fileBatches } from './file-batches.ts'
import type { NewFile } from './new-file.ts'
import type { SharedVariables } from './shared-variables.ts'
import { readShared, storeShared } from './taken-sets.ts'
import { fileEntry, readTree, storeTree } from './tree.ts'

/**
 * The texts of a stack, and the list of its other files. `overlays`: environment name → text of
 * `compose.<name>.yaml`.
 */
export interface StackTexts {
  compose: string
  env: string | null
  overlays: Record<string, string>
  /** All other files by path; contents that are stored are not read. */
  tree: Record<string, TreeEntry | NewFile>
  /** What the stack takes from sets of variables. Missing if it takes none. */
  shared?: SharedVariables | undefined
}

/** Returns whether the content of a file is in memory and not yet stored. */
export const isNew = (file: TreeEntry | NewFile): file is NewFile => 'content' in file

/** Texts whose other files are stored. */
export interface StoredTexts extends StackTexts {
  tree: StackTree
}

/**
 * Stores the texts and returns their digests. All texts are encrypted, because users also write
 * passwords into compose files.
 */
export async function storeTexts(stack: StackTexts, ports: Needs<'texts'>): Promise<StackFiles> {
  const { texts } = ports
  const [compose, env, overlays, shared] = await Promise.all([
    texts.put(stack.compose),
    stack.env === null ? null : texts.put(stack.env),
    mapValues(stack.overlays, (text) => texts.put(text)),
    stack.shared && storeShared(stack.shared, ports),
  ])
  const tree = await storeTree(await storeNewFiles(stack.tree, ports), ports)
  const named = { compose, env, overlays, others: {}, ...(tree === undefined ? {} : { tree }) }
  return { ...named, ...(shared && { shared }) }
}

/** Stores the contents that are in memory, and returns the tree. */
export async function storeNewFiles(
  files: StackTexts['tree'],
  ports: Needs<'texts'>,
): Promise<StackTree> {
  const batches = fileBatches(ports)
  for (const [path, file] of Object.entries(files)) {
    if (isNew(file)) await batches.add(path, file.content, file.mode)
  }
  const kept = await batches.end()
  return Object.fromEntries(
    Object.entries(files).map(([path, file]): [string, TreeEntry] => [
      path,
      isNew(file) ? must(kept.get(path), path) : file,
    ]),
  )
}

/** Returns the texts with these digests, and the list of the other files. */
export async function readTexts(files: StackFiles, ports: Needs<'texts'>): Promise<StoredTexts> {
  const { texts } = ports
  const [compose, env, overlays, tree, shared] = await Promise.all([
    texts.get(files.compose),
    files.env === null ? null : texts.get(files.env),
    mapValues(files.overlays, (digest) => texts.get(digest)),
    readTree(files, ports),
    files.shared && readShared(files.shared, ports),
  ])
  return { compose, env, overlays, tree, ...(shared && { shared }) }
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

/** Returns the name of a stack's first compose file. */
export const mainFileOf = (stack: Pick<StackRecord, 'composeFiles'>): string =>
  composeFilesOf(stack)[0] ?? 'compose.yaml'

/** Returns the texts of a stack by their path in its directory. */
export function textsByPath(
  { compose, env, overlays }: Pick<StackTexts, 'compose' | 'env' | 'overlays'>,
  stack: Pick<StackRecord, 'composeFiles'>,
): Record<string, string> {
  const named = Object.entries(overlays).map(([name, file]) => [overlayFile(name), file] as const)
  return {
    ...Object.fromEntries(named),
    ...(env === null ? {} : { '.env': env }),
    [mainFileOf(stack)]: compose,
  }
}

/** The permission bits of `.env`: only the owner can read it. */
const envMode = 0o600

/** Returns all files of a stack, those with texts too, by their path in its directory. */
export async function allFiles(
  files: StackFiles,
  stack: Pick<StackRecord, 'composeFiles'>,
  ports: Needs<'texts'>,
): Promise<StackTree> {
  const { tree, ...texts } = await readTexts(files, ports)
  const digests = textsByPath(files, stack)
  const named = Object.entries(textsByPath(texts, stack)).map(([path, text]) => {
    const mode = path === '.env' ? envMode : plainMode
    return [path, fileEntry(digests[path] ?? '', Buffer.from(text), mode)] as const
  })
  return { ...tree, ...Object.fromEntries(named) }
}

/** Returns the paths of the files that a restore or a deploy put into the stack's directory. */
export async function writtenPaths(
  stack: Pick<StackRecord, 'composeFiles' | 'restoredPaths' | 'written'>,
  ports: Needs<'texts'>,
): Promise<string[]> {
  const { restoredPaths = [], written } = stack
  const paths = written ? Object.keys(await allFiles(written, stack, ports)) : []
  return [...new Set([...restoredPaths, ...paths])]
}

/** Returns the links of a tree: path → target. */
export const linksOf = (tree: StackTexts['tree']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tree).flatMap(([path, entry]) =>
      !isNew(entry) && isLink(entry) ? [[path, entry.link] as const] : [],
    ),
  )
