import { failed } from '../failure.ts'
import type { Io } from '../io.ts'
import { collect, type Widening } from './collect.ts'
import { composeDifferences } from './compose-differences.ts'
import { type ComposeFiles, readComposeFiles, type Stored } from './compose-files.ts'
import type { FolderFlags } from './flags.ts'
import { FolderFiles } from './folder-files.ts'
import { type LoadedFolder, loadFolder } from './load-project.ts'
import { placesOf } from './places.ts'
import { shortList } from './short-list.ts'

/** A project's directory, ready to be sent. */
export interface PreparedFolder {
  files: ComposeFiles
  found: FolderFiles
  /** The names of compose file, .env and overlays here, for people. */
  names: string[]
  /** Paths of files that compose files read. */
  read: ReadonlySet<string>
  /** Probable mistakes in a project that loads. Empty for a compose file from standard input. */
  warnings: readonly string[]
}

/** Returns the names of compose file, .env and overlays, for people. */
export function namesHere({ main, env, overlays }: ComposeFiles): string[] {
  const variables = env === undefined ? [] : ['.env']
  return [main.path, ...variables, ...Object.values(overlays).map(({ path }) => path)]
}

/** Returns what to send, and sends nothing. Throws a `CliFailure` if the project does not load. */
export async function prepareFolder(
  name: string,
  flags: FolderFlags,
  io: Io,
  stored?: Stored,
): Promise<PreparedFolder> {
  return prepareFiles(name, await readComposeFiles(flags, io), flags, stored)
}

/** Like `prepareFolder`, for compose files that are read already. */
export async function prepareFiles(
  name: string,
  files: ComposeFiles,
  widening: Widening,
  stored?: Stored,
): Promise<PreparedFolder> {
  const names = namesHere(files)
  // A compose file from standard input replaces that file alone.
  if (files.isAlone)
    return {
      files,
      names,
      read: new Set(),
      warnings: [],
      found: new FolderFiles(files.root, [], []),
    }
  const loaded = loadFolder(name, files, stored)
  refuseOutside(files.root, loaded)
  const { read } = loaded
  const warnings = [...composeDifferences(files), ...loaded.warnings]
  return { files, names, read, warnings, found: await collect(files, loaded, widening) }
}

/**
 * Throws a `CliFailure` if compose files need files outside of the directory: the service could not
 * load them.
 */
function refuseOutside(root: string, { projects, read }: LoadedFolder): void {
  const files = projects.flatMap(placesOf).flatMap((it) => (it.kind === 'file' ? [it] : []))
  const isOptional = (path: string) => {
    const uses = files.filter((it) => it.path === path)
    return uses.length > 0 && uses.every((it) => !it.isRequired)
  }
  const outside = [...read].filter((path) => path.startsWith('/') && !isOptional(path))
  if (outside.length === 0) return
  throw failed(`the project needs files outside of ${root}: ${shortList(outside)}`, {
    hint: 'name a directory that has all of them with --directory, such as --directory ..',
  })
}
