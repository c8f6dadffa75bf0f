import { readFile } from 'node:fs/promises'
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
  const named = await composeFiles(directory, project)
  const texts = await Promise.all(named.map((name) => readFile(join(directory, name), 'utf8')))
  const facts = factsOf(named, texts)
  checkServices(name, facts, project)
  const omit = { directories: [] as string[], env: !choice.withEnv }
  let { files, notes } = await walkDirectory(directory, omit)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > choice.sizeMax && facts.writable.length > 0) {
    ;({ files, notes } = await walkDirectory(directory, { ...omit, directories: facts.writable }))
  }
  return {
    name,
    directory,
    project,
    services: facts.services,
    notes,
    needsEnv: choice.withEnv ? undefined : await missingEnv(directory, texts, facts),
    files: await withCompose(directory, named, files),
  }
}

const usualNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

/**
 * Returns the compose files in merge order, relative to the directory: those that the project was
 * started with, else the one with a usual name.
 */
async function composeFiles(directory: string, project: ComposeProject): Promise<string[]> {
  const started = project.config_files.map((file) => relative(project.working_dir, file))
  const here = await Promise.all(started.map((file) => bundleFile(join(directory, file), file)))
  if (
    started.length > 0 &&
    here.every((file) => file) &&
    started.every((one) => !one.startsWith('..'))
  ) {
    return started
  }
  for (const name of usualNames) {
    if (await bundleFile(join(directory, name), name)) return [name]
  }
  throw failed(`there is no compose.yaml in ${directory}`)
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
async function withCompose(
  directory: string,
  [first = 'compose.yaml', ...rest]: string[],
  files: BundleFile[],
): Promise<BundleFile[]> {
  const named = await Promise.all([
    bundleFile(join(directory, first), 'compose.yaml'),
    ...rest.map((file) => bundleFile(join(directory, file), file)),
  ])
  const own = new Map(named.flatMap((file) => (file ? [[file.path, file] as const] : [])))
  const others = files.filter(({ path }) => path !== first && !own.has(path))
  return [...own.values(), ...others].sort((one, other) => (one.path < other.path ? -1 : 1))
}
