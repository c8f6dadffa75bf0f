import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseDotenv } from '../../functions/compose/load/dotenv.ts'
import type { LoadOptions } from '../../functions/compose/load/load-options.ts'
import { normalName } from '../../functions/compose/load/project-name.ts'
import type { ComposeInput } from '../../functions/compose/project.ts'
import { fileBytesMax } from '../../functions/compose/yaml/yaml.ts'

const names = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']
const overrides = [
  ...['compose.override.yml', 'compose.override.yaml'],
  ...['docker-compose.override.yml', 'docker-compose.override.yaml'],
]
const skipped = new Set(['.git', 'node_modules', 'expected.json', 'expected.error'])

/**
 * The texts of a project and the rule for its name, as docker compose finds them in the project's
 * directory.
 */
export interface ProjectFiles {
  input: ComposeInput
  name: LoadOptions['name']
}

/** Returns whether docker compose finds a project in this directory. */
export function isProject(directory: string): boolean {
  return names.some((name) => isFile(join(directory, name))) || composeFileOf(directory) !== ''
}

/** Returns the environment in which a project is read: that of root's shell in its directory. */
export const shellVariables = (directory: string): Record<string, string> => ({
  HOME: '/root',
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  PWD: directory,
})

/**
 * Reads what docker compose reads when it is called in this directory without flags: the compose
 * file and its override, or the files that COMPOSE_FILE in `.env` names, and every text that they
 * may refer to.
 *
 * @throws `Problem` if `.env` is not valid
 */
export function readProject(directory: string): ProjectFiles {
  const shell = shellVariables(directory)
  const dotenv = readDotenv(directory, shell)
  const variables = new Map([...dotenv, ...Object.entries(shell)])
  const composeFiles = findComposeFiles(directory, variables)
  // A compose file elsewhere makes its own directory the project directory. The variables of this
  // directory still apply.
  const home = dirname(composeFiles[0] ?? directory)
  const elsewhere = home !== directory
  const own = elsewhere ? readDotenv(home, Object.fromEntries(variables)) : dotenv
  const given = variables.get('COMPOSE_PROJECT_NAME') ?? own.get('COMPOSE_PROJECT_NAME')
  return {
    name: given
      ? { given, rule: 'binding' }
      : { given: normalName(basename(home)) || undefined, rule: 'default' },
    input: {
      name: given ?? '',
      directory: home,
      composeFiles: composeFiles.map((file) => relative(home, file)),
      files: readTexts(home, elsewhere),
      environment: elsewhere ? Object.fromEntries(variables) : shell,
      profiles: [],
      reach: 'host',
    },
  }
}

function readDotenv(directory: string, variables: Record<string, string>): Map<string, string> {
  const file = join(directory, '.env')
  if (!isFile(file)) return new Map()
  return parseDotenv(readFileSync(file, 'utf8'), '.env', (name) => variables[name])
}

function findComposeFiles(directory: string, variables: ReadonlyMap<string, string>): string[] {
  const said = variables.get('COMPOSE_FILE')
  if (said !== undefined) {
    const separator = variables.get('COMPOSE_PATH_SEPARATOR') || ':'
    return said.split(separator).map((file) => resolve(directory, file))
  }
  const first = (candidates: string[]) =>
    candidates.filter((name) => isFile(join(directory, name))).slice(0, 1)
  return [...first(names), ...first(overrides)].map((name) => join(directory, name))
}

/** Returns COMPOSE_FILE from `.env`, or an empty string if `.env` is not valid. */
function composeFileOf(directory: string): string {
  try {
    return readDotenv(directory, shellVariables(directory)).get('COMPOSE_FILE') ?? ''
  } catch {
    return ''
  }
}

/**
 * Returns every text below a directory by its relative path. If one of them refers to files outside
 * the directory, the texts of sibling directories are included by absolute path.
 */
function readTexts(directory: string, leadsOut: boolean): Record<string, string> {
  const texts: Record<string, string> = {}
  collect(directory, (file, text) => {
    texts[relative(directory, file)] = text
  })
  if (!leadsOut && !Object.values(texts).some((text) => text.includes('../'))) return texts
  collect(dirname(directory), (file, text) => {
    if (!file.startsWith(`${directory}/`)) texts[file] = text
  })
  return texts
}

function collect(
  directory: string,
  found: (file: string, text: string) => void,
  above: readonly string[] = [],
): void {
  const real = realpathSync(directory)
  if (above.includes(real)) return
  for (const name of readdirSync(directory)) {
    if (skipped.has(name)) continue
    const path = join(directory, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory()) collect(path, found, [...above, real])
    // One byte above the limit, so that a file that is too large is not treated as missing.
    else if (stats?.isFile()) found(path, readStart(path, stats.size))
  }
}

const readStart = (path: string, size: number): string =>
  size > fileBytesMax ? ' '.repeat(fileBytesMax + 1) : readFileSync(path, 'utf8')

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()
