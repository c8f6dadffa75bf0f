import { forbidden, unprocessable } from '../../errors.ts'
import { referencesOf } from '../../owners/references.ts'
import { checkLimit, checkLimits } from '../measure/check-limits.ts'
import { refuseInternalNames } from '../policy/internal-names.ts'
import { checkLinks, checkReach } from '../policy/policy.ts'
import { withoutReservedLabels } from '../policy/reserved-labels.ts'
import type { ComposeInput, LoadedProject, Project } from '../project.ts'
import type { Service } from '../service.ts'
import { Problem, semantic } from '../yaml/problem.ts'
import { mapOf, type TreeMap } from '../yaml/tree.ts'
import { bind } from './bind.ts'
import { checkConsistency } from './consistency.ts'
import { parseDotenv } from './dotenv.ts'
import { type EnvFileContext, mergeFiles } from './env-files.ts'
import type { LoadContext, Stages } from './load-file.ts'
import { loadModel, requireContent } from './load-model.ts'
import { located } from './located.ts'
import { normalize } from './normalize.ts'
import { joinPath } from './paths.ts'
import { applyProfiles, selectServices } from './profiles.ts'
import { type NameSource, nameInFiles, normalName, projectName } from './project-name.ts'
import { prune } from './prune.ts'
import { seccompProfiles } from './seccomp.ts'
import { findText, stackFiles } from './stack-files.ts'

/** The maximum number of warnings to return. */
const warningsMax = 100

/** Options to load differently from a deploy, for tests of single stages. */
export interface LoadOptions extends Stages {
  name: NameSource
  /** Removes `env_file` and `label_file` once they are merged. */
  discardEnvFiles: boolean
  /** Removes resources that no service uses. */
  prune: boolean
  /** The meaning of `~`, overriding the variable HOME. */
  home?: string
  /** Loads only these services and their dependencies. Empty for all services. */
  services: string[]
}

/**
 * Loads the project that the files of a stack describe, with its warnings. Reads only the stack's
 * own files. Errors start with file, line, column and path:
 * `compose.yaml:12:5: services.app.ports[1]: …`.
 *
 * @throws 422 for invalid files
 * @throws 403 for a project that accesses more than `input.reach` permits
 */
export function load(input: ComposeInput): LoadedProject {
  return loadWith(input, deployOptions(input))
}

/** Loads several inputs that differ only in their overlay. Each file is parsed once. */
export function loadAll(inputs: readonly ComposeInput[]): LoadedProject[] {
  const parsed: LoadContext['parsed'] = new Map()
  return inputs.map((input) => loadWith(input, deployOptions(input), parsed))
}

const deployOptions = (input: ComposeInput): LoadOptions => ({
  name: { given: input.name, rule: 'only' },
  consistency: true,
  normalize: true,
  resolvePaths: true,
  discardEnvFiles: true,
  prune: true,
  services: [],
})

/** Like `load`, with options. */
export function loadWith(
  input: ComposeInput,
  options: LoadOptions,
  parsed: LoadContext['parsed'] = new Map(),
): LoadedProject {
  const context = newContext(input, options, parsed)
  const warnings = new Set<string>()
  context.warn = (message) => warnings.add(message)
  try {
    const project = loadProject(input, options, context)
    checkLimits(project)
    const references = referencesOf(project).map((reference) => ({
      ...reference,
      place: located(new Problem('policy', '', { path: reference.path }), context),
    }))
    return { project, warnings: [...warnings].slice(0, warningsMax), references }
  } catch (error) {
    if (error instanceof Problem) {
      const refuse = error.kind === 'policy' ? forbidden : unprocessable
      throw refuse(located(error, context), { cause: error })
    }
    // The call stack overflowed. No hand-written file is nested that deeply.
    if (error instanceof RangeError)
      throw unprocessable('the compose file is nested too deeply', { cause: error })
    throw error
  }
}

function newContext(
  input: ComposeInput,
  options: LoadOptions,
  parsed: LoadContext['parsed'],
): LoadContext {
  const files = stackFiles(input.directory, input.files, input.reach)
  return {
    files,
    workingDirectory: joinPath('/', input.directory),
    home: undefined,
    variables: new Map(),
    warn: () => {},
    read: new Map(),
    parsed,
    stages: options,
  }
}

function loadProject(input: ComposeInput, options: LoadOptions, context: LoadContext): Project {
  const given = new Map(Object.entries(input.environment))
  const dotenv = findText(context.files, joinPath(context.workingDirectory, '.env'))
  const own = dotenv === undefined ? [] : parseDotenv(dotenv, '.env', (name) => given.get(name))
  context.variables = new Map([...own, ...given])
  context.home = options.home ?? context.variables.get('HOME')
  const name = projectName(options.name, input.composeFiles, context)
  if (options.name.rule === 'only') checkName(name, input, context)
  const variables = new Map([...context.variables, ['COMPOSE_PROJECT_NAME', name]])
  context.variables = variables
  const tree = loadModel({ composeFiles: input.composeFiles, including: [] }, context)
  requireContent(tree, input.composeFiles[0] ?? 'compose.yaml')
  return { ...finish(tree, name, input, options, context), ...placeOf(input, context) }
}

/** Turns the merged tree into the model: names, types, profiles, checks and files. */
function finish(
  tree: TreeMap,
  name: string,
  input: ComposeInput,
  options: LoadOptions,
  context: LoadContext,
) {
  const model = bind(options.normalize ? normalize(tree, name, context.variables) : tree)
  const { services, disabled } = applyProfiles(model.services, profilesOf(input, context))
  const running = { ...model, services }
  checkLimit('services', Object.keys(services).length, ['services'])
  if (options.consistency) checkConsistency(running, disabled)
  const scaled = mapOf(Object.entries(services).map(([key, one]) => [key, withReplicas(one)]))
  const { files, variables } = context
  const merge = { files, variables, discard: options.discardEnvFiles }
  const merged = mergeCounted(merge)
  const selected = Object.entries(selectServices(scaled, options.services)).map(
    ([key, service]) => [key, merged(key, service)] as const,
  )
  refuseInternalNames({ ...services, ...disabled })
  const complete = withoutReservedLabels({ ...running, services: mapOf(selected) }, context.warn)
  if (input.reach === 'stack') {
    const directory = joinPath('/', input.directory)
    const registries = input.registries ?? []
    const all = [complete.services, disabled]
    checkReach(complete, all, { directory, registries })
    const earlier = input.writable ?? []
    checkLinks(complete, all, { directory, earlier, texts: decidingTexts(input, context) })
  }
  const seccomp_profiles = seccompProfiles(complete.services, files)
  return {
    name,
    ...(options.prune ? prune(complete) : complete),
    disabled_services: disabled,
    ...(seccomp_profiles ? { seccomp_profiles } : {}),
  }
}

/** Returns `mergeFiles` with a limit on the total number of values of all services. */
function mergeCounted(context: EnvFileContext) {
  let values = 0
  return (name: string, service: Service): Service => {
    const merged = mergeFiles(name, service, context)
    for (const texts of [merged.environment, merged.labels]) {
      values += Object.keys(texts ?? {}).length
    }
    checkLimit('values', values, ['services', name, 'env_file'])
    return merged
  }
}

/**
 * Returns the relative paths of the stack files that define the model, in this load or in other
 * loads of the stack.
 */
function decidingTexts(input: ComposeInput, context: LoadContext): string[] {
  const own = Object.keys(input.files).filter((path) => /^compose\.[^/]+\.ya?ml$/.test(path))
  return [...new Set([...input.composeFiles, '.env', ...own, ...context.read.keys()])]
}

/** `scale` also sets `deploy.replicas`. */
const withReplicas = (service: Service): Service =>
  service.scale === undefined || !service.deploy
    ? service
    : { ...service, deploy: { ...service.deploy, replicas: service.scale } }

/** Returns the given profiles, or else those of the variable COMPOSE_PROFILES. */
function profilesOf(input: ComposeInput, context: LoadContext): string[] {
  if (input.profiles.length > 0) return input.profiles
  const names = context.variables.get('COMPOSE_PROFILES') ?? ''
  return names.split(',').map((name) => name.trim())
}

const placeOf = (input: ComposeInput, context: LoadContext) => ({
  working_dir: context.workingDirectory,
  config_files: input.composeFiles.map((file) => joinPath(context.workingDirectory, file)),
})

/**
 * Checks that the files do not name a project other than the stack. A deploy would create that
 * project instead.
 */
function checkName(name: string, input: ComposeInput, context: LoadContext): void {
  const said = nameInFiles(input.composeFiles, context)
  if (said === undefined || said === name || normalName(said) === name) return
  // As in docker compose, a project name in `.env` takes precedence over the files.
  if (context.variables.get('COMPOSE_PROJECT_NAME') === name) return
  throw semantic(
    ['name'],
    `the file sets the project name "${said}", but the stack is named "${name}"`,
  )
}
