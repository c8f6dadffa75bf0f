import type { StackFile } from '../../../data/stack-files.ts'

/** A line of the tree of files. */
export type TreeRow =
  | { kind: 'folder'; path: string; name: string; depth: number; isOpen: boolean }
  | { kind: 'file'; path: string; name: string; depth: number; file: StackFile }

const byWords = new Intl.Collator(undefined, { numeric: true })

interface Folder {
  folders: Map<string, Folder>
  files: StackFile[]
}

/** Returns the lines of a tree: folders first, those that are closed without what is in them. */
export function rowsOf(files: readonly StackFile[], closed: ReadonlySet<string>): TreeRow[] {
  const root: Folder = { folders: new Map(), files: [] }
  for (const file of files) {
    let folder = root
    for (const name of file.path.split('/').slice(0, -1)) {
      const next = folder.folders.get(name) ?? { folders: new Map(), files: [] }
      folder.folders.set(name, next)
      folder = next
    }
    folder.files.push(file)
  }
  return [...rowsIn(root, '', 0, closed)]
}

function* rowsIn(
  { folders, files }: Folder,
  prefix: string,
  depth: number,
  closed: ReadonlySet<string>,
): Generator<TreeRow> {
  const names = [...folders].sort(([one], [two]) => byWords.compare(one, two))
  for (const [name, folder] of names) {
    const path = prefix + name
    const isOpen = !closed.has(path)
    yield { kind: 'folder', path, name, depth, isOpen }
    if (isOpen) yield* rowsIn(folder, `${path}/`, depth + 1, closed)
  }
  const sorted = [...files].sort((one, two) => byWords.compare(one.path, two.path))
  for (const file of sorted) {
    yield { kind: 'file', path: file.path, name: file.path.slice(prefix.length), depth, file }
  }
}

const mainNames = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']

/** Returns the path of the main compose file. */
export const mainFileOf = (files: readonly StackFile[]): string | undefined =>
  mainNames.find((name) => files.some(({ path }) => path === name)) ?? files[0]?.path

const overlay = /^compose\.([a-z0-9][a-z0-9_-]*)\.yaml$/

/** Returns the names of the overlays. */
export const overlaysOf = (files: readonly StackFile[]): string[] =>
  files.flatMap(({ path }) => overlay.exec(path)?.[1] ?? [])

/** Returns the paths that have a tab of their own: the compose files and `.env`. */
export function tabPathsOf(files: readonly StackFile[]): string[] {
  const main = mainFileOf(files)
  const others = files.map(({ path }) => path).filter((path) => path !== main)
  const overlays = others.filter((path) => overlay.test(path))
  const env = others.filter((path) => path === '.env')
  return [...(main === undefined ? [] : [main]), ...overlays, ...env]
}
