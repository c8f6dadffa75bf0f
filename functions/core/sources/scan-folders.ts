import { normalName } from '../../compose/load/project-name.ts'
import { groupBy } from '../group-by.ts'
import type { SourceFolder, SourceTree } from '../ports/source-reader.ts'
import type { Source } from '../records/source.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackSource } from '../records/stack-source.ts'

/** The most folders of a source that are shown. */
export const foldersMax = 500

/**
 * What it would mean to create a stack of a folder. `new`: no stack has the name. `followed`: a
 * stack follows the folder already. `taken`: a stack has the name, and follows something else or
 * nothing.
 */
export const folderStates = ['new', 'followed', 'taken'] as const
type FolderState = (typeof folderStates)[number]

/** A folder of a source, and what a stack of it would be. */
interface ScannedFolder extends SourceFolder {
  state: FolderState
  /** The first stack that follows it, or else the name that is proposed. */
  stack: string
  /** All stacks that follow it, sorted. */
  followedBy: string[]
}

/** The parts of a stack that are compared. */
interface SeenStack extends Pick<StackRecord, 'id'> {
  source?: Pick<StackSource, 'path' | 'source' | 'sourceCreatedAt'> | undefined
}

/** A stack that follows a folder. */
interface Follower {
  stack: string
  path: string
}

/** The folders of a source, compared with the stacks of the service. */
export interface FolderScan {
  /** Sorted by path, at most `foldersMax`. */
  folders: ScannedFolder[]
  /** There are more folders. */
  isTruncated: boolean
  /** The stacks that follow a folder that the source does not have any more, sorted by name. */
  gone: Follower[]
}

/**
 * Compares the folders of a source with stacks. A proposed name is that of the folder, with the
 * folders above it where another folder of the source has that one.
 *
 * @param stacks those that the caller may see
 */
export function scanFolders(
  tree: Pick<SourceTree, 'folders' | 'idOf'>,
  source: Pick<Source, 'createdAt' | 'id'>,
  stacks: readonly SeenStack[],
): FolderScan {
  const followers = followersOf(source, stacks)
  const isThere = ({ path }: Follower) => tree.idOf(path) !== undefined
  const found = tree.folders()
  return {
    folders: withStacks(found.slice(0, foldersMax), {
      source: source.id,
      followers: followers.filter(isThere),
      stacks: new Set(stacks.map(({ id }) => id)),
    }),
    isTruncated: found.length > foldersMax,
    gone: followers.filter((follower) => !isThere(follower)),
  }
}

/** Returns the stacks that follow a source, sorted by name. */
function followersOf(
  { id, createdAt }: Pick<Source, 'createdAt' | 'id'>,
  stacks: readonly SeenStack[],
): Follower[] {
  return stacks
    .flatMap(({ id: stack, source }) =>
      source?.source === id && source.sourceCreatedAt === createdAt
        ? [{ stack, path: source.path }]
        : [],
    )
    .sort((a, b) => (a.stack < b.stack ? -1 : 1))
}

/** The name of a source, the stacks that follow folders that it has, and the names of all. */
interface Stacks {
  source: string
  followers: readonly Follower[]
  stacks: ReadonlySet<string>
}

function withStacks(
  folders: readonly SourceFolder[],
  { source, followers, stacks }: Stacks,
): ScannedFolder[] {
  const byPath = groupBy(followers, ({ path }) => path)
  // No other folder gets the name of a stack that follows one.
  const used = new Set(followers.map(({ stack }) => stack))
  const scanned: ScannedFolder[] = []
  for (const { path, composeFile } of folders) {
    const followedBy = (byPath.get(path) ?? []).map(({ stack }) => stack)
    const stack = followedBy[0] ?? proposedName(path, source, used)
    used.add(stack)
    const otherwise = stacks.has(stack) ? 'taken' : 'new'
    const state = followedBy.length > 0 ? 'followed' : otherwise
    scanned.push({ path, composeFile, state, stack, followedBy })
  }
  return scanned
}

/** Characters of the name of a stack. */
const nameMax = 63

/** Returns a valid name for a stack of a folder that is not used. */
function proposedName(path: string, source: string, used: ReadonlySet<string>): string {
  const parts = path
    .split('/')
    .map(normalName)
    .filter((part) => part !== '')
  // For a/b/c: c, then b-c, then a-b-c.
  const names = parts.map((_, above) =>
    parts
      .slice(parts.length - 1 - above)
      .join('-')
      .slice(0, nameMax),
  )
  const [shortest = source] = names
  const usual = names.length > 0 ? names : [source]
  return usual.find((name) => !used.has(name)) ?? numbered(shortest, used)
}

/** Returns the name with the first number that makes it one that is not used. */
function numbered(name: string, used: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const end = `-${number}`
    const next = name.slice(0, nameMax - end.length) + end
    if (!used.has(next)) return next
  }
}
