import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import type { StackFile } from '../api/types.ts'
import { failed, wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import { clean } from '../output/text.ts'
import { readInput } from '../prompt.ts'
import { readText, textBytesMax } from './read-text.ts'

/** Which files of a project to send. */
export interface FileChoice {
  file: string | undefined
  directory: string | undefined
  envFile: string | undefined
  withoutEnv: boolean
  overlay: readonly string[]
}

/** The text of a file that the service keeps under a name of its own. */
export interface NamedText {
  /** Relative to the project's directory; the name in messages. */
  path: string
  text: string
}

/** A project's compose file, overlays and variables, and its directory. */
export interface ComposeFiles {
  /** Absolute. */
  root: string
  main: NamedText
  overlays: Record<string, NamedText>
  /** The variables to load the project with; undefined for none. */
  env: string | undefined
  /** The paths in the directory of what is sent as compose file, overlay or .env. */
  sources: string[]
  /** The .env in the directory that must not be sent. */
  hiddenEnv: string | undefined
  /** Overlays next to the compose file that cannot be sent. */
  unusable: string[]
  /** The compose file came from standard input, without a directory. */
  isAlone: boolean
}

/** What the service has already, for a project that does not load without it. */
export interface Stored {
  env: string | null
  files: readonly StackFile[]
}

/** Finds and reads these files. Throws a `CliFailure` for one that cannot be read. */
export async function readComposeFiles(choice: FileChoice, io: Io): Promise<ComposeFiles> {
  if (choice.envFile !== undefined && choice.withoutEnv) {
    throw wrongUsage('--env-file and --without-env: use only one')
  }
  const given = givenOverlays(choice.overlay, io.cwd)
  if (choice.file === '-') return fromInput(choice, given, io)
  const file = await mainFile(choice, io.cwd)
  const root = choice.directory === undefined ? dirname(file) : resolve(io.cwd, choice.directory)
  const inRoot = relative(root, file)
  if (inRoot.startsWith('../') || inRoot.startsWith('/'))
    throw wrongUsage(`--directory ${clean(root)} does not contain ${clean(file)}`)
  const isBelow = inRoot.includes('/')
  const found = choice.overlay.length > 0 ? {} : await findOverlays(file)
  const overlays = choice.overlay.length > 0 ? given : isBelow ? {} : found
  const envFile = await findEnv(choice, dirname(file), io.cwd)
  const used = [file, ...Object.values(overlays), ...(envFile ? [envFile] : [])]
  return {
    root,
    main: isBelow ? including(inRoot) : { path: inRoot, text: await readText(file) },
    overlays: await readOverlays(overlays, root),
    env: envFile === undefined ? undefined : await readText(envFile),
    sources: used.map((one) => relative(root, one)).filter((path) => !isBelow || path !== inRoot),
    hiddenEnv: choice.withoutEnv ? relative(root, join(dirname(file), '.env')) : undefined,
    unusable: isBelow ? Object.values(found).map((path) => relative(root, path)) : [],
    isAlone: false,
  }
}

/**
 * Returns the compose file of a project whose compose file lies in a subdirectory: it includes that
 * file, so that relative paths in it start from its own directory.
 */
const including = (path: string): NamedText => ({
  path: 'compose.yaml',
  text: `# Written by \`cli stacks create\`: the project's compose file lies in a subdirectory.\ninclude:\n  - ${JSON.stringify(path)}\n`,
})

async function fromInput(
  choice: FileChoice,
  overlays: Record<string, string>,
  io: Io,
): Promise<ComposeFiles> {
  const text = await readInput(io, textBytesMax)
  if (text.trim() === '') throw failed('standard input contains no compose file')
  const root = resolve(io.cwd, choice.directory ?? '.')
  const isAlone = choice.directory === undefined
  const envFile = isAlone
    ? choice.envFile && resolve(io.cwd, choice.envFile)
    : await findEnv(choice, root, io.cwd)
  return {
    root,
    main: { path: 'compose.yaml', text },
    isAlone,
    sources: [],
    unusable: [],
    hiddenEnv: choice.withoutEnv ? '.env' : undefined,
    overlays: await readOverlays(overlays, root),
    env: envFile ? await readText(envFile) : undefined,
  }
}

async function readOverlays(files: Record<string, string>, root: string) {
  const read = Object.entries(files).map(async ([name, file]) => {
    const path = relative(root, file)
    const shown = path.startsWith('..') ? `compose.${name}.yaml` : path
    return [name, { path: shown, text: await readText(file) }] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

const composeNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

async function mainFile({ file, directory }: FileChoice, cwd: string): Promise<string> {
  if (file !== undefined) return resolve(cwd, file)
  // With `--directory ..` the compose file is usually here.
  const places = directory === undefined ? [cwd] : [cwd, resolve(cwd, directory)]
  for (const place of places) {
    const names = await namesIn(place)
    const found = composeNames.find((name) => names.includes(name))
    if (found) return join(place, found)
  }
  throw failed(`there is no compose.yaml in ${places.join(' or ')}`, {
    hint: 'name one with --file',
  })
}

async function findEnv(choice: FileChoice, directory: string, cwd: string) {
  if (choice.withoutEnv) return undefined
  if (choice.envFile !== undefined) return resolve(cwd, choice.envFile)
  return (await namesIn(directory)).includes('.env') ? join(directory, '.env') : undefined
}

/**
 * Finds overlays next to the compose file, named after it: `compose.prod.yaml` for `compose.yaml`.
 */
async function findOverlays(file: string): Promise<Record<string, string>> {
  const stem = `${basename(file, extname(file))}.`
  const found: Record<string, string> = {}
  // In this order `prod.yaml` comes after `prod.yml` and wins.
  for (const name of (await namesIn(dirname(file))).sort().reverse()) {
    if (!name.startsWith(stem)) continue
    const [, environment] =
      /^([a-z0-9][a-z0-9_-]{0,62})\.ya?ml$/.exec(name.slice(stem.length)) ?? []
    if (environment) found[environment] = join(dirname(file), name)
  }
  return found
}

/** The names that the service gives to the compose file, the overlays and .env. */
export const namesInStack = ({ overlays }: Pick<ComposeFiles, 'overlays'>): string[] => [
  'compose.yaml',
  '.env',
  ...Object.keys(overlays).map((name) => `compose.${name}.yaml`),
]

function givenOverlays(given: readonly string[], cwd: string): Record<string, string> {
  const pairs = given.map((text) => {
    const [, name = '', path = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
    if (!name)
      throw wrongUsage(
        `--overlay ${JSON.stringify(text)}: must be <name>=<path>, such as prod=compose.prod.yaml`,
      )
    return [name, resolve(cwd, path)] as const
  })
  return Object.fromEntries(pairs)
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    throw failed(`cannot read ${directory}: ${error.code}`, { cause: error })
  })
}
