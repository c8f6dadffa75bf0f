import { readFile, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { ComposeProject } from '../api/types.ts'
import { failed } from '../failure.ts'
import { directoryName } from '../folder/directory-name.ts'
import { type ComposeFacts, composeFacts } from './compose-facts.ts'
import { type BundleFile, bundleFile, walkDirectory } from './directory.ts'
import { envNeed } from './env-need.ts'

/** A directory and the running project that it describes, before anything is sent. */
export interface Prepared {
  name: string
  directory: string
  project: ComposeProject
  /** Names of its services in the files. Undefined if only the service can tell. */
  services: string[] | undefined
  files: BundleFile[]
  notes: string[]
  /** What the project needs of the `.env` that is left out. */
  needsEnv: string | undefined
}

export interface BundleChoice {
  name: string | undefined
  withEnv: boolean
  /** Bytes. */
  sizeMax: number
  /** The text to send as `.env` instead of that file. */
  env?: string | undefined
  /** Directories to leave out in any case, because services write data there. */
  data?: readonly string[]
}

/**
 * Returns the running project of a directory: by the given name, else by its path, else by the
 * directory's name.
 */
export function findProject(
  directory: string,
  name: string | undefined,
  projects: readonly ComposeProject[],
): ComposeProject | undefined {
  if (name !== undefined) return projects.find((project) => project.name === name)
  return (
    projects.find((project) => project.working_dir === resolve(directory)) ??
    projects.find((project) => project.name === directoryName(directory))
  )
}

/** Makes every check that needs no request. Throws a `CliFailure` that says what is wrong. */
export async function prepare(
  directory: string,
  choice: BundleChoice,
  projects: readonly ComposeProject[],
): Promise<Prepared> {
  const project = findProject(directory, choice.name, projects)
  const name = choice.name ?? project?.name ?? directoryName(directory)
  if (!project) {
    const found = projects.map((one) => one.name).join(', ') || 'none'
    throw failed(`project ${name}: no such project runs; found: ${found}`)
  }
  if (project.managed) throw failed(`stack ${name}: it is already managed`)
  const { data = [] } = choice
  const omit = { directories: data, env: !choice.withEnv }
  let { files, notes } = await walkDirectory(directory, omit)
  const compose = await composeFiles(directory, project, files)
  const texts = await Promise.all(compose.map(({ source }) => readFile(source, 'utf8')))
  const paths = compose.map(({ path }) => path)
  const facts = factsOf(paths, texts)
  checkServices(name, facts, project)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > choice.sizeMax && facts.writable.length > 0) {
    const directories = [...data, ...facts.writable]
    ;({ files, notes } = await walkDirectory(directory, { ...omit, directories }))
  }
  return {
    name,
    directory,
    project,
    services: facts.services,
    notes,
    needsEnv: choice.withEnv ? undefined : await missingEnv(directory, texts, facts),
    files: withCompose(compose, files),
  }
}

const usualNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

/**
 * Returns the compose files in merge order, with their paths in the directory: those that the
 * project was started with, else the one with a usual name.
 */
async function composeFiles(
  directory: string,
  project: ComposeProject,
  files: readonly BundleFile[],
): Promise<BundleFile[]> {
  const started = project.config_files.map((file) => relative(project.working_dir, file))
  const here = await Promise.all(started.map((file) => bundleFile(join(directory, file), file)))
  const isWhole = here.every((file) => file) && started.every((one) => !one.startsWith('..'))
  if (started.length > 0 && isWhole)
    return Promise.all(started.map((path) => sentFile(directory, path, files)))
  for (const name of usualNames) {
    if (await bundleFile(join(directory, name), name))
      return [await sentFile(directory, name, files)]
  }
  throw failed(`there is no compose.yaml in ${directory}`)
}

/**
 * Returns the file of a path, which may be a link to another file that is sent. Labels name the
 * compose files, and the owner of any container writes labels, so they make no other file of this
 * machine a part of the bundle. Throws a `CliFailure` for such a file.
 */
async function sentFile(
  directory: string,
  path: string,
  files: readonly BundleFile[],
): Promise<BundleFile> {
  const [root, real] = await Promise.all([realpath(directory), realpath(join(directory, path))])
  const file = files.find((one) => one.path === relative(root, real))
  if (file) return { ...file, path }
  const reason = `it is a .env, in .git or outside of ${directory}`
  throw failed(`compose file ${path}: cannot be sent, because ${reason}`, {
    hint: 'put the compose files of the project into its directory',
  })
}

/** Says what the project needs of the `.env` in its directory. */
async function missingEnv(
  directory: string,
  texts: readonly string[],
  { hasEnvFile }: ComposeFacts,
) {
  const env = await readFile(join(directory, '.env'), 'utf8').catch((error) => {
    if (['ENOENT', 'EACCES', 'EISDIR'].includes(error.code)) return undefined
    throw error
  })
  return env === undefined ? undefined : envNeed(texts, env, hasEnvFile)
}

function factsOf(named: readonly string[], texts: readonly string[]): ComposeFacts {
  try {
    return composeFacts(texts)
  } catch (cause) {
    throw failed(`${named.join(', ')}: ${(cause as Error).message}`, { cause })
  }
}

function checkServices(name: string, { services }: ComposeFacts, project: ComposeProject): void {
  if (!services) return
  const running = new Set(project.services.map((service) => service.name))
  const missing = services.filter((one) => !running.has(one))
  const unknown = [...running].filter((one) => !services.includes(one))
  if (missing.length === 0 && unknown.length === 0) return
  const parts = [
    ...(unknown.length > 0 ? [`running and not in the file: ${unknown.join(', ')}`] : []),
    ...(missing.length > 0 ? [`in the file and without a container: ${missing.join(', ')}`] : []),
  ]
  throw failed(`project ${name}: its services differ; ${parts.join('; ')}`)
}

/**
 * Adds the compose files. The first one is named compose.yaml in a bundle, whatever its name is
 * here.
 */
function withCompose(compose: readonly BundleFile[], files: readonly BundleFile[]): BundleFile[] {
  const [first, ...rest] = compose
  const named = first ? [{ ...first, path: 'compose.yaml' }, ...rest] : rest
  const own = new Map(named.map((file) => [file.path, file]))
  const others = files.filter(({ path }) => path !== first?.path && !own.has(path))
  return [...own.values(), ...others].sort((one, other) => (one.path < other.path ? -1 : 1))
}
