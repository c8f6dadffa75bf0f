import { Failure } from '../../functions/core/errors.ts'
import {
  SourceFailure,
  type SourceFile,
  type SourceFolder,
  type SourceTree,
} from '../../functions/core/ports/source-reader.ts'
import type { SourceLimits } from '../../functions/core/records/source-address.ts'
import { composeFolders, isComposeFile } from '../../functions/core/sources/compose-folders.ts'
import { isAtOrBelow, linkTarget, shownPath } from '../../functions/core/stacks/file-path.ts'
import { BlobReader } from './blob-reader.ts'
import type { Commit } from './commit.ts'
import { refusedPath } from './failures.ts'
import { nameProblem } from './names.ts'
import { modes, type Repository, type TreeEntry } from './repository.ts'

/** The first line of a file that Git LFS keeps elsewhere. */
const pointer = Buffer.from('version https://git-lfs.github.com/spec/v1\n')

/** Bytes of the target of a link. */
const linkMax = 4096

const isFolder = ({ mode }: TreeEntry) => mode === modes.folder
const isIn = (path: string, folder: string) => folder === '' || isAtOrBelow(path, folder)

/**
 * Returns the files and links at or below these paths. Each path is checked alone, as it is for
 * another stack: what one of them must not have may lie elsewhere in the repository.
 *
 * @throws SourceFailure if a path has a name that is refused, too many files or a submodule, or
 *   lies in one
 */
export function neededEntries(
  entries: readonly TreeEntry[],
  paths: readonly string[],
  limits: SourceLimits,
): TreeEntry[] {
  const submodules = entries.filter(({ mode }) => mode === modes.submodule)
  const needed = new Set<TreeEntry>()
  for (const folder of paths) {
    refuseSubmodules(submodules, folder)
    for (const file of filesIn(entries, folder, limits)) needed.add(file)
  }
  return [...needed]
}

function refuseSubmodules(submodules: readonly TreeEntry[], folder: string): void {
  const found = submodules.find(({ path }) => isIn(path, folder) || isIn(folder, path))
  if (!found) return
  throw refusedPath(
    shownPath(found.path),
    'is a submodule, which is not read: copy its files into the repository, or make it a source of its own',
  )
}

function filesIn(entries: readonly TreeEntry[], folder: string, limits: SourceLimits): TreeEntry[] {
  const found = entries.filter(({ path }) => isIn(path, folder))
  for (const { path } of found) {
    const problem = nameProblem(path)
    if (problem) throw refusedPath(shownPath(path), `${problem}: rename it`)
  }
  const files = found.filter((entry) => !isFolder(entry))
  if (files.length <= limits.files) return files
  throw new SourceFailure(
    'too-large',
    `${shownFolder(folder)} has ${files.length} files, and a stack may have ${limits.files}: choose a smaller folder`,
  )
}

const shownFolder = (folder: string) =>
  folder === '' ? 'the repository' : `the folder ${shownPath(folder)}`

/**
 * Checks the sizes of the files that `neededEntries` returned for these paths.
 *
 * @throws SourceFailure `too-large` if a file, or all files of a path, are larger than allowed
 */
export function checkSizes(
  files: readonly TreeEntry[],
  paths: readonly string[],
  sizes: ReadonlyMap<string, number>,
  limits: SourceLimits,
): void {
  const sizeOf = ({ id }: TreeEntry) => sizes.get(id) ?? 0
  for (const file of files) {
    const size = sizeOf(file)
    if (size <= (file.mode === modes.link ? linkMax : limits.fileBytes)) continue
    throw new SourceFailure(
      'too-large',
      `${shownPath(file.path)} in the repository has ${size} bytes, which is more than stack.max_file_bytes allows`,
    )
  }
  for (const folder of paths) {
    const own = files.filter(({ path }) => isIn(path, folder))
    const sum = own.reduce((bytes, file) => bytes + sizeOf(file), 0)
    if (sum <= limits.bytes) continue
    throw new SourceFailure(
      'too-large',
      `the files of ${shownFolder(folder)} have ${sum} bytes, which is more than stack.max_bytes allows (${limits.bytes})`,
    )
  }
}

/** What a commit in a repository has, of which all needed blobs are there. */
export interface CommitContent {
  revision: string
  commit: Commit
  entries: readonly TreeEntry[]
  files: readonly TreeEntry[]
  sizes: ReadonlyMap<string, number>
  repository: Repository
}

/**
 * Opens a commit.
 *
 * @param release called once, by `close`, with whether the copy of the repository is intact
 */
export function openTree(
  content: CommitContent,
  release: (isIntact: boolean) => Promise<void>,
): SourceTree {
  const { revision, commit, entries } = content
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const readers = new Set<BlobReader>()
  let isIntact = true
  let closed: Promise<void> | undefined
  return {
    revision,
    about: commit.about,
    idOf(path) {
      if (path === '') return commit.tree
      const entry = byPath.get(path)
      // A file that becomes executable is another one.
      return entry && (isFolder(entry) ? entry.id : `${entry.mode}-${entry.id}`)
    },
    folders: () => foldersOf(entries),
    async *files(path) {
      const reader = new BlobReader(content.repository.contents())
      readers.add(reader)
      try {
        for (const entry of content.files) {
          if (isIn(entry.path, path)) yield await readEntry(reader, entry, path, content)
        }
      } finally {
        readers.delete(reader)
        if (reader.isDamaged) isIntact = false
        reader.close()
      }
    },
    close() {
      for (const reader of readers) reader.close()
      closed ??= release(isIntact)
      return closed
    },
  }
}

function foldersOf(entries: readonly TreeEntry[]): SourceFolder[] {
  const files = entries.filter(
    ({ path, mode }) => mode.startsWith('100') && isComposeFile(path) && !nameProblem(path),
  )
  return composeFolders(files.map(({ path }) => path))
}

async function readEntry(
  reader: BlobReader,
  { path, id, mode }: TreeEntry,
  folder: string,
  { sizes }: CommitContent,
): Promise<SourceFile> {
  const content = await reader.read(id, sizes.get(id) ?? 0)
  const name = path.slice(folder === '' || folder === path ? 0 : folder.length + 1)
  const own = folder === path ? path.slice(path.lastIndexOf('/') + 1) : name
  if (mode === modes.link) return { path: own, link: checkedLink(path, own, content) }
  if (content.subarray(0, pointer.length).equals(pointer)) {
    throw refusedPath(
      shownPath(path),
      'is kept in Git LFS, which is not read: commit the file itself',
    )
  }
  return { path: own, mode: mode === '100755' ? 0o755 : 0o644, content }
}

function checkedLink(path: string, own: string, content: Buffer): string {
  const target = content.toString('utf8')
  try {
    linkTarget(own, target)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw refusedPath(shownPath(path), `is a link that is not read: ${error.message}`)
  }
  return target
}
