import type { StackRecord } from '../../records/stack.ts'
import type { Saver } from '../../records/stack-files.ts'
import {
  executableMode,
  isLink,
  plainMode,
  type TreeEntry,
  type TreeFile,
  type TreeLink,
} from '../../records/stack-tree.ts'
import { deployedRevisionOf } from '../../stacks/deployed-revision.ts'
import type { NewFile } from '../../stacks/new-file.ts'
import { type SharedVariable, setNames } from '../../stacks/shared-variables.ts'
import { composeFilesOf, type StoredTexts } from '../../stacks/texts.ts'

/**
 * `stack.json`, the first file of a stack's archive: the record of the stack. After it come the
 * contents of its tree, `contents/<sha256>`, each once, and `data/`, the stack's directory on the
 * host. For a stack that was never deployed, `data/` contains the files of the record.
 */
export interface SavedStack {
  /** In format 1 the contents of other files are in `others`, and there are no `contents/`. */
  format: 1 | 2
  name: string
  /** The stack's directory on its host. */
  directory: string
  adopted: boolean
  compose_files: string[]
  environment: string | null
  compose: string
  env: string | null
  overlays: Record<string, string>
  /**
   * The accounts that saved the files, if no deploy judged them yet; see `StackFiles`. Otherwise,
   * and in backups of earlier versions, the account that restores them stands in for these.
   */
  saved_by?: Saver[] | undefined
  /**
   * What the stack takes from sets of variables, so that it also runs where there are none. Missing
   * if it takes none, and in backups of earlier versions.
   */
  shared?: SavedVariables | undefined
  /** The files besides these texts; none in format 1. */
  tree: [path: string, entry: SavedEntry][]
  /** The same files in format 1. */
  others?: Record<string, SavedFile>
  /** The existing named volumes. Each is an object of the backup. */
  volumes: SavedVolume[]
}

export interface SavedVariables {
  /** Name → the value, and the set that it is from. */
  variables: Record<string, SharedVariable>
  /** The names of the sets, in the order of the stack's list. */
  sets: string[]
}

export type SavedEntry = Omit<TreeFile, 'digest'> | TreeLink

/** A file in format 1. */
export type SavedFile =
  | {
      encoding: 'utf8' | 'base64'
      content: string
      executable: boolean
      /** The permission bits. Missing in backups of earlier versions. */
      mode?: number | undefined
    }
  | { link: string }

export interface SavedVolume {
  /** The volume's key in the compose file; `name` is its name on the Engine. */
  key: string
  name: string
  /** Not created by the stack. */
  external: boolean
}

/** The name of the file in the archive. */
export const savedStackName = 'stack.json'

/** Returns the name of a content in the archive. */
export const contentName = (sha256: string): string => `contents/${sha256}`

/** Returns the content of `stack.json`. */
export function saveStack(
  stack: StackRecord,
  texts: StoredTexts,
  volumes: readonly SavedVolume[],
): SavedStack {
  return {
    format: 2,
    name: stack.id,
    directory: stack.directory,
    adopted: stack.adopted,
    compose_files: composeFilesOf(stack),
    environment: stack.environment,
    compose: texts.compose,
    env: texts.env,
    overlays: texts.overlays,
    ...(deployedRevisionOf(stack) !== stack.contentRevision && { saved_by: stack.files.savedBy }),
    ...(texts.shared && {
      shared: { variables: texts.shared.variables, sets: setNames(texts.shared) },
    }),
    tree: Object.entries(texts.tree).map(([path, entry]) => [path, savedEntry(entry)]),
    volumes: [...volumes],
  }
}

/** The digest is keyed: it means nothing in another store. */
function savedEntry(entry: TreeEntry): SavedEntry {
  if (isLink(entry)) return { link: entry.link }
  const { digest: _, ...saved } = entry
  return saved
}

/** Returns a file of format 1. */
export function savedFileOf(file: SavedFile): NewFile | TreeLink {
  if ('link' in file) return file
  const { encoding, content, executable, mode } = file
  const usual = executable ? executableMode : plainMode
  return { content: Buffer.from(content, encoding), mode: mode ?? usual }
}
