import { posix } from 'node:path'
import type { PeerFile } from '../peer-stack.ts'
import { type References, referencesOf } from '../references.ts'
import type { KomodoConfig } from './config.ts'
import { replaceVariables } from './environment.ts'
import type { KomodoFile, KomodoResources, KomodoStack } from './resources.ts'

/** Where the compose files of a stack are: on the host, in the stack itself, or in git. */
export type Origin = 'host' | 'text' | 'git'

/** Returns where the compose files are; null if there are none. */
export function originOf(config: KomodoConfig): Origin | null {
  if (config.files_on_host) return 'host'
  if (config.file_contents.trim() !== '') return 'text'
  return config.repo === '' && config.linked_repo === '' ? null : 'git'
}

/** The files of a stack that can be read, and what they refer to. */
export interface ShownFiles {
  /** In merge order: from the directory of the stack, or from the root of the repository. */
  composeFiles: readonly string[]
  files: readonly (PeerFile & { text: string })[]
  /** Compose files and files that Komodo tracks, without a text. */
  hidden: readonly string[]
  /** Variables of Komodo in the compose file, without a known value. */
  unknown: readonly string[]
}

/** Returns the files of a stack. */
export function shownFiles(
  { config, contents }: KomodoStack,
  origin: Origin,
  { variables }: Pick<KomodoResources, 'variables'>,
): ShownFiles {
  const paths = config.file_paths.length === 0 ? ['compose.yaml'] : config.file_paths
  const composeFiles = paths.map((path) => placeIn(config, origin, path))
  if (origin === 'text') {
    const { file_contents, skip_secret_interp } = config
    const values = skip_secret_interp ? undefined : variables
    const { text, unknown } = replaced(file_contents, values)
    return { composeFiles, files: [fileOf(composeFiles[0] ?? '', text)], hidden: [], unknown }
  }
  const wanted = [...new Set([...paths, ...config.config_files])].map((configured) => ({
    path: placeIn(config, origin, configured),
    text: contentOf(contents ?? [], placeIn(config, origin, configured), configured),
  }))
  const files = wanted.flatMap(({ path, text }) => (text === undefined ? [] : [fileOf(path, text)]))
  return {
    composeFiles,
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    hidden: wanted.flatMap(({ path, text }) => (text === undefined ? [path] : [])),
    unknown: [],
  }
}

/** Replaces variables of Komodo, unless the stack turns that off. */
export const replaced = (
  text: string,
  variables: ReadonlyMap<string, string | null> | undefined,
): ReturnType<typeof replaceVariables> =>
  variables ? replaceVariables(text, variables) : { text, unknown: [] }

/** Paths are relative to the run directory, which in git is a folder of the repository. */
export const placeIn = (config: KomodoConfig, origin: Origin, path: string): string =>
  origin === 'git' ? posix.join(config.run_directory, path) : posix.normalize(path)

const fileOf = (path: string, text: string) => ({ path, size: Buffer.byteLength(text), text })

/**
 * Finds the text of a file. No page says from where its path begins, so it is the only one that
 * ends with the path. Undefined if there is none, or more than one.
 */
function contentOf(contents: readonly KomodoFile[], ...paths: string[]): string | undefined {
  for (const path of paths) {
    const exact = contents.filter((one) => one.path === path)
    const ending = contents.filter((one) => one.path.endsWith(`/${path}`))
    const found = exact.length > 0 ? exact : ending
    if (found.length === 1) return found[0]?.contents
  }
  return undefined
}

/** What compose files refer to, from the view of an import. */
export interface Needed {
  /** Files and directories that are not shown, as the compose files have them. */
  missing: readonly string[]
  /** Files that Komodo writes from the variables of the stack, besides `.env`. */
  written: readonly string[]
  /** Sources of binds with relative paths. */
  binds: readonly string[]
}

/** Reads what the compose files refer to. Throws an `Error` for a text that is not YAML. */
export function neededFiles(config: KomodoConfig, origin: Origin, shown: ShownFiles): Needed {
  const { composeFiles, files } = shown
  const texts = files.filter(({ path }) => composeFiles.includes(path)).map(({ text }) => text)
  const all: References[] = texts.map(referencesOf)
  const paths = [...new Set(all.flatMap((one) => one.files))]
  const base = posix.dirname(composeFiles[0] ?? '')
  const placeOf = (path: string) => posix.join(base, path)
  // An empty environment is not written. The stack here has a `.env` in any case.
  const env = config.environment.trim() === '' ? undefined : config.env_file_path
  const envPlace = env === undefined ? undefined : placeIn(config, origin, env)
  const isOwnEnv = (path: string) => posix.normalize(path) === '.env'
  const isWritten = (path: string) =>
    placeOf(path) === envPlace && !posix.normalize(path).includes('/') && !isOwnEnv(path)
  const isShown = (path: string) => files.some((file) => file.path === placeOf(path))
  return {
    missing: paths.filter((path) => !isOwnEnv(path) && !isWritten(path) && !isShown(path)),
    written: [...new Set(paths.filter(isWritten).map((path) => posix.normalize(path)))],
    binds: [...new Set(all.flatMap(({ binds }) => binds))],
  }
}
