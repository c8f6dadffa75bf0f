import { join } from 'node:path'
import { failed } from '../failure.ts'
import type { FolderEntry, Origin } from './folder-entry.ts'
import { foldedPath, parentsOf, refusedLink, refusedPath, refusedTogether } from './path-rules.ts'

/** Something that is not sent. */
export interface LeftOut {
  path: string
  reason: string
}

/** One file at most this large is sent. Bytes. */
export const fileBytesMax = 16 * 1024 * 1024

/** More files than this are never sent. The service accepts 5,000 by default. */
const filesMax = 20_000

/** The properties of a file that the collection needs. */
interface FileFacts {
  size: number
  mode: number
}

/** Collects the files of a project, each once, and what is left out. */
export class FolderFiles {
  readonly root: string
  readonly entries = new Map<string, FolderEntry>()
  readonly leftOut = new Map<string, LeftOut>()
  /** Paths of the host that the project uses and that lie outside of `root`. */
  readonly outside = new Map<string, LeftOut>()
  /** Paths that the project refers to and that do not exist. */
  readonly missing = new Map<string, LeftOut>()
  /** Path in the directory that services mount → where its links lead. */
  readonly mounted = new Map<string, string>()
  /** Directories that services mount and that have nothing in them. */
  readonly empty = new Set<string>()
  /** What holds data and is left out → the pattern of `--include` that sends it, if one does. */
  readonly unsent = new Map<string, string | undefined>()
  private readonly names: ReadonlySet<string>
  private readonly foldedNames: ReadonlySet<string>
  private readonly sources: ReadonlySet<string>

  /**
   * @param names the names of compose file, overlays and .env in the stack
   * @param sources the files here that are sent under these names
   */
  constructor(root: string, names: readonly string[], sources: readonly string[]) {
    this.root = root
    this.names = new Set(names)
    this.foldedNames = new Set(names.map(foldedPath))
    this.sources = new Set(sources)
  }

  /** Adds a regular file, or says why it is left out. */
  addFile(path: string, { size, mode }: FileFacts, origin: Origin): void {
    if (this.isKnown(path)) return
    const problem = refusedPath(path) ?? (size > fileBytesMax ? 'larger than 16 MiB' : undefined)
    if (problem !== undefined) this.leaveDataOut(path, problem)
    else this.keep({ path, source: join(this.root, path), size, mode: mode & 0o777, origin })
  }

  /** Adds a link, or says why it is left out. */
  addLink(path: string, link: string, origin: Origin): void {
    if (this.isKnown(path)) return
    const problem = refusedPath(path) ?? refusedLink(path, link)
    if (problem !== undefined) this.leaveOut(path, problem)
    else this.keep({ path, link, origin })
  }

  /** Returns whether a file is sent already, under a name of the stack. */
  isSource(path: string): boolean {
    return this.sources.has(path)
  }

  /** Leaves a path out. The first reason counts. */
  leaveOut(path: string, reason: string): void {
    if (!this.entries.has(path) && !this.leftOut.has(path)) this.leftOut.set(path, { path, reason })
  }

  /** Leaves out what can be data of services. */
  leaveDataOut(path: string, reason: string, pattern?: string): void {
    this.leaveOut(path, reason)
    if (this.leftOut.has(path)) this.unsent.set(path, pattern)
  }

  /** Leaves out the entries that the service would refuse beside the others. */
  leaveOutRefused(): void {
    for (const { path, reason } of refusedTogether(this.entries)) {
      this.entries.delete(path)
      this.leaveDataOut(path, reason)
    }
    // A directory that was left out, and added since by `--include`.
    const directories = new Set([...this.entries.keys()].flatMap((path) => [...parentsOf(path)]))
    for (const path of this.leftOut.keys()) {
      if (directories.has(path.replace(/\/$/, ''))) this.leftOut.delete(path)
    }
  }

  private isKnown(path: string): boolean {
    if (!this.foldedNames.has(foldedPath(path))) return this.entries.has(path)
    if (!this.names.has(path) || !this.sources.has(path))
      this.leaveOut(path, 'another file is sent under this name')
    return true
  }

  private keep(entry: FolderEntry): void {
    this.leftOut.delete(entry.path)
    this.entries.set(entry.path, entry)
    if (this.entries.size <= filesMax) return
    throw failed(`the project has more than 20,000 files: ${largest(this.entries.keys())}`, {
      hint: 'list directories that a build does not need in .dockerignore',
    })
  }
}

/** Returns the directories with the most files, for a message. */
export function largest(paths: Iterable<string>): string {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const directory = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.'
    counts.set(directory, (counts.get(directory) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one).slice(0, 3)
  return sorted.map(([directory, count]) => `${count} in ${directory}`).join(', ')
}
