import { realpath } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'
import { composeFacts } from '../../adopt/compose-facts.ts'
import { type BundleFile, walkDirectory } from '../../adopt/directory.ts'
import { CliFailure, failed } from '../../failure.ts'
import type { ComposeFiles, NamedText } from '../../folder/compose-files.ts'
import { type LoadedFolder, loadFolder, nameInFolder } from '../../folder/load-project.ts'
import { placesOf } from '../../folder/places.ts'
import { quoted } from '../../folder/quoted.ts'
import { readText } from '../../folder/read-text.ts'
import { relativePath } from '../../folder/relative-path.ts'
import { overlayName } from '../overlay-name.ts'
import { type PeerProject, statusOf } from '../peer-projects.ts'
import type { LeftOut, PeerStack, Refusal } from '../peer-stack.ts'
import { type DockgeVariables, joinedEnv, readVariables, valuesOf, wholeEnv } from './env.ts'
import { composeNames, type DockgeDirectory, type DockgeFolder } from './read-directory.ts'

/** What a folder is read with. */
interface Surroundings {
  globalEnv: string | undefined
  /** All projects of the host. */
  projects: readonly PeerProject[]
  host: string
}

/** The parts of a stack that depend on its files. */
type Content = Pick<
  PeerStack,
  'name' | 'files' | 'env' | 'leftOut' | 'notes' | 'refused' | 'folder'
>

/**
 * Returns the stacks of Dockge, with those that cannot be imported, and the projects of the host
 * whose files are elsewhere. Reads the files of the folders, and changes nothing.
 *
 * @param projects all projects of the host, also those that are stopped
 * @param host its name
 */
export async function dockgeStacks(
  { onHost, globalEnv, folders }: DockgeDirectory,
  projects: readonly PeerProject[],
  host: string,
): Promise<PeerStack[]> {
  const stacks: PeerStack[] = []
  for (const folder of folders) {
    const stack = await stackOf(folder, { globalEnv, projects, host })
    const twin = stacks.find(({ name }) => name !== null && name === stack.name)
    const detail = `the folder ${twin?.peerName} has the same project name, ${stack.name}`
    stacks.push(twin ? { ...stack, ...refusedFor('name-in-use', detail) } : stack)
  }
  const known = new Set(folders.flatMap(({ places }) => places))
  const elsewhere = projects.filter(({ directory }) => !known.has(directory))
  return [...stacks, ...elsewhere.map((project) => stackElsewhere(project, onHost, host))]
}

async function stackOf(folder: DockgeFolder, around: Surroundings): Promise<PeerStack> {
  const { places } = folder
  const project = around.projects.find(({ directory }) => places.includes(directory))
  const composeFiles = composeFilesOf(folder, project)
  const facts = {
    peerName: folder.name,
    host: around.host,
    status: statusOf(project?.states ?? []),
    directory: places[0] ?? folder.root,
    composeFiles,
    git: null,
    updates: 'none' as const,
    writtenFromEnv: [],
    needs: null,
  }
  try {
    return { ...facts, ...(await contentOf(folder, composeFiles, project, around)) }
  } catch (error) {
    // The other stacks are imported all the same.
    if (!(error instanceof CliFailure) || error.exitCode !== 1) throw error
    return { ...facts, ...refusedFor('invalid-compose', error.message) }
  }
}

const refusedFor = (reason: Refusal, detail: string): Content => ({
  name: null,
  files: [],
  env: {},
  leftOut: [],
  notes: [],
  refused: { reason, detail },
  folder: null,
})

const stackElsewhere = (project: PeerProject, onHost: string, host: string): PeerStack => ({
  peerName: project.name,
  host,
  status: statusOf(project.states),
  directory: project.directory,
  composeFiles: startedFiles(project),
  git: null,
  updates: 'none',
  writtenFromEnv: [],
  needs: null,
  ...refusedFor(
    'not-in-stacks-directory',
    `its files are not in ${onHost}: run cli stacks adopt ${directoryWord(project)}`,
  ),
})

/** Labels name the directory, and the owner of any container writes labels. */
const directoryWord = ({ directory }: PeerProject) =>
  directory === '' ? '<its directory>' : quoted(directory)

/**
 * Returns the files that the project was started with, else those that `docker compose` chooses:
 * the first of its names, and one override.
 */
function composeFilesOf(
  { names }: DockgeFolder,
  project: PeerProject | undefined,
): readonly string[] {
  const started = project ? startedFiles(project) : []
  const isHere = (path: string) =>
    path.includes('/') ? !path.startsWith('../') : names.includes(path)
  if (started.length > 0 && started.every(isHere)) return started
  const chosen = [composeNames, overrideNames].map((all) => all.find((one) => names.includes(one)))
  return chosen.filter((name) => name !== undefined)
}

/** Returns the files that a project was started with, from its directory. */
const startedFiles = ({ directory, configFiles }: PeerProject): readonly string[] =>
  directory === '' ? configFiles : configFiles.map((path) => posix.relative(directory, path))

const overrideNames = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
]

async function contentOf(
  folder: DockgeFolder,
  composeFiles: readonly string[],
  project: PeerProject | undefined,
  { globalEnv, projects }: Surroundings,
): Promise<Content> {
  const { root, names, places } = folder
  const ownText = names.includes('.env') ? await readInside(root, '.env') : undefined
  const variables = readVariables(globalEnv, ownText)
  if (variables.problems.length > 0) throw failed(variables.problems.join('; '))
  const all = valuesOf(variables)
  if (all.COMPOSE_FILE !== undefined && !project)
    return refusedFor(
      'compose-file-variable',
      'COMPOSE_FILE names its compose files: start it in Dockge and import it again',
    )
  const compose = await readCompose(folder, composeFiles)
  const whole = { ...compose, env: wholeEnv(variables) }
  const name = project?.name ?? all.COMPOSE_PROJECT_NAME ?? nameInFolder(whole)
  const other = projects.find((one) => one.name === name && !places.includes(one.directory))
  if (other) {
    return refusedFor(
      'name-in-use',
      `the project ${name} of the host has its files in ${other.directory}`,
    )
  }
  // The loader merges one override. The service checks projects of more files.
  const loaded = composeFiles.length > 2 ? undefined : loadFolder(name, whole)
  const texts = [compose.main, ...Object.values(compose.overlays)].map(({ text }) => text)
  const included = await includedTexts(root, loaded)
  const { writable, hasEnvFile } = factsOf(texts)
  const joined = joinedEnv(variables, [...texts, ...included])
  return {
    name,
    files: await filesOf(root, writable),
    env: all,
    leftOut: [...outsideBinds(root, loaded, texts), ...unusedFiles(names, composeFiles)],
    notes: envNotes(joined?.names ?? [], variables, hasEnvFile),
    refused: null,
    folder: {
      compose: { ...compose, env: joined?.text ?? ownText },
      env: joined?.text,
      data: writable,
    },
  }
}

/** Reads the compose files. All but the first one are read as overlays. */
async function readCompose(
  { root, names }: DockgeFolder,
  composeFiles: readonly string[],
): Promise<ComposeFiles> {
  const [first = 'compose.yaml', ...rest] = composeFiles
  const overlays: [string, NamedText][] = []
  for (const [index, path] of rest.entries()) {
    const text = await readInside(root, path)
    overlays.push([overlayName(path, index), { path, text }])
  }
  return {
    root,
    main: { path: first, text: await readInside(root, first) },
    overlays: Object.fromEntries(overlays),
    env: undefined,
    sources: [...composeFiles, ...(names.includes('.env') ? ['.env'] : [])],
    hiddenEnv: undefined,
    unusable: [],
    isAlone: false,
  }
}

/**
 * Returns the text of a file of a folder. Containers that write into the folder can make links
 * there, so a link makes no file from elsewhere a part of the stack: it is a `CliFailure`.
 */
async function readInside(root: string, path: string): Promise<string> {
  const file = join(root, path)
  const folder = await realpath(root)
  // What is missing or cannot be read is reported by the read.
  const real = await realpath(file).catch(() => join(folder, path))
  if (relativePath(folder, real) === undefined)
    throw failed(`${path} is a link that leads out of its folder: put a copy of the file there`)
  return readText(real)
}

/** Returns the texts of the further compose files that a project reads. */
async function includedTexts(root: string, loaded: LoadedFolder | undefined): Promise<string[]> {
  const paths = [...(loaded?.read ?? [])].filter((path) => /\.ya?ml$/.test(path))
  return Promise.all(paths.map((path) => readText(resolve(root, path))))
}

function factsOf(texts: readonly string[]) {
  try {
    return composeFacts(texts)
  } catch (cause) {
    throw failed((cause as Error).message, { cause })
  }
}

/** Lists the files of a folder, without data of services if there are too many. */
async function filesOf(root: string, data: readonly string[]): Promise<BundleFile[]> {
  try {
    return (await walkDirectory(root, { directories: [], env: true })).files
  } catch (error) {
    if (!(error instanceof CliFailure) || data.length === 0) throw error
    return (await walkDirectory(root, { directories: data, env: true })).files
  }
}

/** Returns the binds whose relative path leads out of the folder, as the compose files have it. */
function outsideBinds(
  root: string,
  loaded: LoadedFolder | undefined,
  texts: readonly string[],
): LeftOut[] {
  const paths = (loaded?.projects ?? [])
    .flatMap(placesOf)
    .flatMap((place) => (place.kind === 'mount' ? [place.path] : []))
    .filter((path) => relativePath(root, path) === undefined)
    .map((path) => posix.relative(root, path))
    // An absolute path means the same from every directory.
    .filter((path) => texts.some((text) => text.includes(path)))
  return [...new Set(paths)].map((what) => ({ what, reason: 'bind-outside-the-stack' as const }))
}

function unusedFiles(names: readonly string[], composeFiles: readonly string[]): LeftOut[] {
  return names
    .filter((name) => /^(docker-)?compose(\.[\w-]+)?\.ya?ml$/.test(name))
    .filter((name) => !composeFiles.includes(name))
    .map((what) => ({ what, reason: 'unused-compose-file' as const }))
}

/** Says what becomes of the variables of `global.env`. */
function envNotes(
  names: readonly string[],
  { ownText }: DockgeVariables,
  hasEnvFile: boolean,
): string[] {
  if (names.length === 0) return []
  const list = names.join(', ')
  const gets =
    ownText === undefined
      ? `gets a .env with ${list} of global.env, which the first deploy writes`
      : `its .env gets ${list} of global.env: the first deploy writes it, with --on-drift overwrite`
  const also = 'services with env_file: .env get these variables too, at the next deploy'
  return hasEnvFile ? [gets, also] : [gets]
}
