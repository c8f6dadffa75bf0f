import { readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { loadWith } from '../../functions/compose/load/load.ts'
import type { LoadOptions } from '../../functions/compose/load/load-options.ts'
import type { Project } from '../../functions/compose/project.ts'
import { failed, hasCode } from '../failure.ts'
import { clean } from '../output/text.ts'
import type { ComposeFiles, Stored } from './compose-files.ts'
import { directoryName } from './directory-name.ts'
import { furtherProblems } from './further-problems.ts'
import { mentionedPaths } from './mentioned-paths.ts'
import { kindOf } from './walk.ts'

/** A project as it loads on this machine: without an overlay, and with each of them. */
export interface LoadedFolder {
  projects: Project[]
  /**
   * The files that compose files read: relative to the project's directory, or absolute if they lie
   * outside of it.
   */
  read: Set<string>
  /** What loads and is probably a mistake, such as a variable that is not set. */
  warnings: string[]
}

/** What reading one file at a time found. */
interface Reading {
  /** Path → text. */
  found: Map<string, string>
  /** Files that exist and cannot be read, with the reason. */
  unreadable: Map<string, string>
  /** Files that the stack has. */
  elsewhere: ReadonlySet<string>
}

/**
 * Loads a project the way the service will, with the variables of its `.env` alone. The policy is
 * left to the service. Throws a `CliFailure` with file, line and column if it does not load.
 */
export function loadFolder(name: string, given: ComposeFiles, stored?: Stored): LoadedFolder {
  const files = { ...given, env: given.env ?? stored?.env ?? undefined }
  const elsewhere = new Set(stored?.files.map(({ path }) => path))
  const reading: Reading = { found: new Map(), unreadable: new Map(), elsewhere }
  const environments = [undefined, ...Object.values(files.overlays)]
  return loading(reading, files, () => {
    const loaded = environments.map((overlay) =>
      loadOne({ given: name, rule: 'only' }, files, overlay, reading),
    )
    return {
      projects: loaded.map(({ project }) => project),
      read: new Set(reading.found.keys()),
      warnings: [...new Set(loaded.flatMap(({ warnings }) => warnings))],
    }
  })
}

/** Calls `load`. A project that does not load is a `CliFailure`. */
function loading<T>(reading: Reading, files: ComposeFiles, load: () => T): T {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof Error) || !('status' in error)) throw error
    throw failed(error.message, { cause: error, hint: hintOf(error.message, reading, files) })
  }
}

/**
 * Returns the name of the project: the `name` in its compose file, else that of its directory.
 * Throws a `CliFailure` if it does not load.
 */
export function nameInFolder(files: ComposeFiles): string {
  const reading: Reading = { found: new Map(), unreadable: new Map(), elsewhere: new Set() }
  const name = { given: directoryName(files.root), rule: 'default' as const }
  return loading(reading, files, () => loadOne(name, files, undefined, reading).project.name)
}

/**
 * Returns the files that compose files read, as far as these load, by path in the directory. For a
 * check of files with problems.
 */
export function filesRead(files: ComposeFiles): Record<string, string> {
  const found = new Map<string, string>()
  const reading: Reading = { found, unreadable: new Map(), elsewhere: new Set() }
  for (const overlay of [undefined, ...Object.values(files.overlays)]) {
    try {
      loadOne({ given: 'stack', rule: 'binding' }, files, overlay, reading)
    } catch (error) {
      // The service reports it, with all others: it must not miss files that were not read yet.
      if (!(error instanceof Error) || !('status' in error)) throw error
      for (const { text } of overlay ? [files.main, overlay] : [files.main]) {
        const paths = mentionedPaths(text).map((path) => posix.normalize(path))
        for (const path of paths.filter((one) => !/^(\/|\.\.?(\/|$))/.test(one))) {
          readHere(files.root, path, reading)
        }
      }
    }
  }
  return Object.fromEntries([...found].filter(([path]) => !path.startsWith('/')))
}

function loadOne(
  name: LoadOptions['name'],
  { root, main, overlays, env, hiddenEnv }: ComposeFiles,
  overlay: ComposeFiles['main'] | undefined,
  reading: Reading,
) {
  const texts = [main, ...Object.values(overlays)].map(({ path, text }) => [path, text])
  const input = {
    name: name.given ?? '',
    directory: root,
    reach: 'host' as const,
    environment: {},
    profiles: [],
    composeFiles: [main.path, ...(overlay ? [overlay.path] : [])],
    files: { ...Object.fromEntries(texts), ...(env === undefined ? {} : { '.env': env }) },
  }
  return loadWith(input, {
    name,
    consistency: true,
    normalize: true,
    // Files of services that no profile includes are sent too.
    resolvePaths: true,
    discardEnvFiles: false,
    prune: false,
    services: [],
    read: (path) =>
      path === '.env' || path === hiddenEnv ? undefined : readOne(root, path, reading),
  })
}

/** The service reads no larger file that compose files refer to. Bytes. */
const textBytesMax = 16 * 1024 * 1024

/**
 * Returns the text of a file. One that only the stack has counts as empty: its variables or labels
 * do not change which files there are.
 */
function readOne(root: string, path: string, reading: Reading): string | undefined {
  return readHere(root, path, reading) ?? (reading.elsewhere.has(path) ? '' : undefined)
}

function readHere(root: string, path: string, { found, unreadable }: Reading): string | undefined {
  const source = path.startsWith('/') ? path : join(root, path)
  try {
    const stats = statSync(source)
    // Reading a FIFO would wait for a writer.
    if (stats.isFile() && stats.size <= textBytesMax) {
      const text = readFileSync(source, 'utf8')
      found.set(path, text)
      return text
    }
    unreadable.set(path, stats.isFile() ? 'is larger than 16 MiB' : `is ${kindOf(stats)}`)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    if (!hasCode(error, 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'))
      throw error
    unreadable.set(path, 'cannot be read')
  }
  return undefined
}

function hintOf(
  message: string,
  { found, unreadable }: Reading,
  files: ComposeFiles,
): string | undefined {
  const [path, why] = [...unreadable][0] ?? []
  if (path !== undefined) return `${clean(path)} ${why}`
  const further = furtherProblems(files, filesRead(files))
  const hints = [
    ...(files.env === undefined && usesVariable(message, found, files)
      ? [`no .env is used: the files of ${clean(files.root)} must load without it`]
      : []),
    ...(further > 0
      ? [`and ${further} more ${further === 1 ? 'problem' : 'problems'}: see cli stacks validate`]
      : []),
  ]
  return hints.length > 0 ? hints.join('\n  ') : undefined
}

/** Returns whether the value at the place that a message names has a variable. */
function usesVariable(
  message: string,
  found: ReadonlyMap<string, string>,
  { main, overlays }: ComposeFiles,
): boolean {
  const [, path = '', line = ''] = /^(.+?):(\d+):/.exec(message) ?? []
  const known = [main, ...Object.values(overlays)].find((one) => one.path === path)
  const text = known?.text ?? found.get(path)
  if (text === undefined) return /variable/.test(message)
  const [first = '', ...below] = text.split('\n').slice(Number(line) - 1)
  const indent = (one: string) => one.search(/\S|$/)
  const end = below.findIndex((one) => one.trim() !== '' && indent(one) <= indent(first))
  const value = [first, ...below.slice(0, end < 0 ? below.length : end)].join('\n')
  return /\$(\{|[A-Za-z_])/.test(value.replaceAll('$$', ''))
}
