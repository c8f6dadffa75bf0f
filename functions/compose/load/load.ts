import { checkLimits } from '../measure/check-limits.ts'
import { joinPath } from '../paths.ts'
import type { ComposeInput, Project } from '../project.ts'
import { referencesOf } from '../references.ts'
import { Problem, semantic } from '../yaml/problem.ts'
import { type Path, pathText } from '../yaml/tree.ts'
import { buildModel } from './build-model.ts'
import { parseDotenv } from './dotenv.ts'
import { failureOf, refuseMissing, refuseUnread } from './load-failure.ts'
import type { LoadContext } from './load-file.ts'
import { loadModel, requireContent } from './load-model.ts'
import { deployOptions, type LoadOptions } from './load-options.ts'
import type { LoadedProject } from './loaded-project.ts'
import { newContext } from './new-context.ts'
import { placedClaims } from './placed-claims.ts'
import { placedPaths } from './placed-paths.ts'
import { nameInFiles, normalName, projectName } from './project-name.ts'
import { sharedVariables, variablesOf } from './secret-texts.ts'
import { findText } from './stack-files.ts'
import { UnreadFiles } from './unread-files.ts'
import { withLocation } from './with-location.ts'

/** The maximum number of warnings to return. */
const warningsMax = 100

/**
 * Loads the project that the files of a stack describe, with its warnings. Reads only the stack's
 * own files. Errors start with file, line, column and path:
 * `compose.yaml:12:5: services.app.ports[1]: …`.
 *
 * @throws 422 for invalid files
 * @throws 403 for a project that accesses more than `input.reach` permits
 * @throws UnreadFiles if it needs files of `input.unread`
 */
export function load(input: ComposeInput): LoadedProject {
  return loadWith(input, deployOptions(input))
}

/**
 * Loads several inputs that differ only in their overlay. Each file is parsed once.
 *
 * @throws what `load` throws; `UnreadFiles` has the files of all inputs
 */
export function loadAll(inputs: readonly ComposeInput[]): LoadedProject[] {
  const parsed: LoadContext['parsed'] = new Map()
  const unread = new Set<string>()
  const loaded = inputs.flatMap((input) => {
    try {
      return loadWith(input, deployOptions(input), parsed)
    } catch (error) {
      if (!(error instanceof UnreadFiles)) throw error
      for (const path of error.paths) unread.add(path)
      return []
    }
  })
  if (unread.size > 0) throw new UnreadFiles([...unread])
  return loaded
}

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
    refuseUnread(context)
    refuseMissing(context)
    checkLimits(project)
    // Without the check for consistency, references may lead nowhere.
    const used = options.consistency ? referencesOf(project) : []
    const references = used.map((reference) => ({
      ...reference,
      place: placeText(reference, context),
    }))
    const privileged = context.privileged.map(({ path, near, detail }) => ({
      path: pathText(path),
      place: placeText({ path, near }, context),
      detail,
    }))
    const paths = placedPaths(project, context)
    const claims = placedClaims(project, context)
    const shown = [...warnings].slice(0, warningsMax)
    const { secretFiles, externalVolumes, profiles } = context
    // Files of variables are listed without documents.
    const read = [...context.read].filter(([, documents]) => documents.length > 0)
    const composeFiles = read.map(([path]) => path)
    const found = { references, paths, claims, secretFiles, composeFiles, externalVolumes }
    const whole = { project, warnings: shown, profiles, ...found }
    return input.listsPrivileged ? { ...whole, privileged } : whole
  } catch (error) {
    // A file that was not read counts as empty, so other problems may not exist.
    refuseUnread(context)
    // What follows from a missing file is not worth an error of its own.
    refuseMissing(context)
    throw failureOf(error, context)
  }
}

/** Returns the place of an attribute in the files, as a prefix of messages. */
const placeText = (at: { path: Path; near?: string | undefined }, context: LoadContext) =>
  withLocation(new Problem('policy', '', at), context)

/**
 * Returns the project that the files of a stack describe.
 *
 * @throws Problem
 */
export function loadProject(
  input: ComposeInput,
  options: LoadOptions,
  context: LoadContext,
): Project {
  const given = new Map(Object.entries(input.environment))
  const file = joinPath(context.workingDirectory, '.env')
  const text = findText(context.files, file)
  const lookup = (name: string) => given.get(name)
  const shared = sharedVariables(input, context)
  const dotenv = { text: text ?? '', file, shown: '.env' }
  const own = text === undefined ? [] : variablesOf(dotenv, context, { lookup, known: shared })
  context.variables = new Map([...shared, ...own, ...given])
  const profiles = profilesOf(input, text ?? '', context)
  context.profiles = profiles.filter((name) => name !== '')
  context.home = options.home ?? context.variables.get('HOME')
  const name = projectName(options.name, input.composeFiles, context)
  if (options.name.rule === 'only') checkName(name, input, context)
  const variables = new Map([...context.variables, ['COMPOSE_PROJECT_NAME', name]])
  context.variables = variables
  const tree = loadModel({ composeFiles: input.composeFiles, including: [] }, context)
  requireContent(tree, input.composeFiles[0] ?? 'compose.yaml')
  return {
    ...buildModel(tree, { name, profiles }, input, options, context),
    ...placeOf(input, context),
  }
}

/**
 * Returns the given profiles, or else those of the variable COMPOSE_PROFILES. They are no secret,
 * as the status shows which services they select, so they are also taken from a hidden `.env`.
 */
function profilesOf(input: ComposeInput, dotenv: string, { hidden, variables }: LoadContext) {
  if (input.profiles.length > 0) return input.profiles
  const known = hidden ? parseDotenv(dotenv, '.env', undefined, undefined, () => {}) : variables
  const names = known.get('COMPOSE_PROFILES') ?? ''
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
  const declared = nameInFiles(input.composeFiles, context)
  if (declared === undefined || declared === name || normalName(declared) === name) return
  if (context.hidden?.hidesAll) return
  // As in docker compose, a project name in `.env` takes precedence over the files.
  if (context.variables.get('COMPOSE_PROJECT_NAME') === name) return
  throw semantic(
    ['name'],
    `the file sets the project name "${declared}", but the stack is named "${name}"`,
  )
}
