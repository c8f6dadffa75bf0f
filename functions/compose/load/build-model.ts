import { checkLimit } from '../measure/check-limits.ts'
import { joinPath } from '../paths.ts'
import { refuseInternalNames } from '../policy/internal-names.ts'
import { checkLinks, checkReach } from '../policy/policy.ts'
import { withoutReservedLabels } from '../policy/reserved-labels.ts'
import type { BoundModel, ComposeInput } from '../project.ts'
import type { Service } from '../service.ts'
import { attempt, type Problem } from '../yaml/problem.ts'
import { mapOf, type TreeMap } from '../yaml/tree.ts'
import { bind } from './bind.ts'
import { bindExceptHidden } from './bind-except-hidden.ts'
import { checkConsistency } from './consistency.ts'
import { type EnvFileContext, mergeFiles } from './env-files.ts'
import type { LoadContext } from './load-file.ts'
import type { LoadOptions } from './load-options.ts'
import { normalize } from './normalize.ts'
import type { Placeholders } from './placeholders.ts'
import { applyProfiles, selectServices } from './profiles.ts'
import { externalVolumes, prune } from './prune.ts'
import { seccompProfiles } from './seccomp.ts'
import { findSecretFiles } from './secret-files.ts'

/** The name of the project, and the profiles that select its services. */
export interface ModelSelection {
  name: string
  profiles: readonly string[]
}

/**
 * Returns the model of the merged tree: names resources, binds values to their types, applies
 * profiles, reads environment files and runs the checks.
 */
export function buildModel(
  tree: TreeMap,
  { name, profiles }: ModelSelection,
  input: ComposeInput,
  options: LoadOptions,
  context: LoadContext,
) {
  const { files, variables, report, hidden } = context
  if (hidden?.hidesAll) {
    const normal = normalize(tree, name, hidden.fillsIn ? variables : new Map())
    return { name, ...withoutValues(normal, profiles, hidden, context) }
  }
  const model = bindModel(tree, name, options, context)
  const { services, disabled } = applyProfiles(model.services, profiles)
  const running = { ...model, services }
  checkServices(running, disabled, options, context)
  const selected = selectedServices(services, options, context)
  refuseInternalNames({ ...services, ...disabled }, report)
  const complete = withoutReservedLabels({ ...running, services: selected }, context)
  if (input.reach === 'stack') {
    checkPolicy(complete, disabled, input, context)
  } else if (input.listsPrivileged) {
    const report = (problem: Problem) => void context.privileged.push(problem)
    checkPolicy(complete, disabled, input, { ...context, report })
  }
  const seccomp_profiles = seccompProfiles(complete.services, files)
  context.secretFiles = findSecretFiles([services, disabled], model, context)
  context.externalVolumes = externalVolumes(model)
  return {
    name,
    ...(options.prune ? prune(complete, input.allResources) : complete),
    ...(input.allResources ? { all_resources: true as const } : {}),
    disabled_services: disabled,
    ...(seccomp_profiles ? { seccomp_profiles } : {}),
  }
}

/**
 * Names the resources of the tree, and binds its values to their types.
 *
 * @throws if values have the wrong types
 */
function bindModel(
  tree: TreeMap,
  name: string,
  options: LoadOptions,
  { variables, report, stopOnProblems }: LoadContext,
): BoundModel {
  const normal = options.normalize ? normalize(tree, name, variables) : tree
  const model = bind(normal, (form, value, path) =>
    attempt(() => form(value, path), report, undefined),
  )
  stopOnProblems()
  return model
}

/** Checks the number of services, and that what they refer to is there and fits. */
function checkServices(
  model: BoundModel,
  disabled: Record<string, Service>,
  options: LoadOptions,
  { files, report }: LoadContext,
): void {
  checkLimit('services', Object.keys(model.services).length, ['services'])
  // With a missing file the model is incomplete, and its inconsistencies would be misleading.
  const isWhole = files.missing.length === 0
  if (options.consistency && isWhole) checkConsistency(model, disabled, report)
}

/** Returns the selected services, with the variables and labels of their files. */
function selectedServices(
  services: Record<string, Service>,
  options: LoadOptions,
  { files, variables, report }: LoadContext,
): Record<string, Service> {
  const scaled = mapOf(Object.entries(services).map(([key, one]) => [key, withReplicas(one)]))
  const merged = mergeCounted({ files, variables, discard: options.discardEnvFiles, report })
  return mapOf(
    Object.entries(selectServices(scaled, options.services)).map(
      ([key, service]) => [key, attempt(() => merged(key, service), report, service)] as const,
    ),
  )
}

function checkPolicy(
  model: BoundModel,
  disabled: Record<string, Service>,
  input: ComposeInput,
  context: LoadContext,
): void {
  const directory = joinPath('/', input.directory)
  const registries = input.registries ?? []
  const all = [model.services, disabled]
  checkReach(model, all, { directory, registries }, context.report)
  const earlier = input.writable ?? []
  const facts = { directory, earlier, texts: decidingTexts(input, context) }
  checkLinks([model, all, facts], context.report)
}

/**
 * Turns the merged tree into a model in which expressions stand for their values. Nothing is
 * checked, because checks need the values, and files with variables are not read.
 */
function withoutValues(
  tree: TreeMap,
  profiles: readonly string[],
  hidden: Placeholders,
  { warn }: Pick<LoadContext, 'warn'>,
) {
  const callbacks = { warn, report: () => {} }
  const model = bindExceptHidden(tree, hidden)
  const { services, disabled } = applyProfiles(
    model.services,
    profiles,
    (profile) => profiles.includes(profile) || hidden.isIn(profile),
  )
  return {
    ...withoutReservedLabels({ ...model, services }, callbacks),
    disabled_services: disabled,
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
  const files = [...Object.keys(input.files), ...Object.keys(input.unread ?? {})]
  const own = files.filter((path) => /^compose\.[^/]+\.ya?ml$/.test(path))
  return [...new Set([...input.composeFiles, '.env', ...own, ...context.read.keys()])]
}

/** `scale` also sets `deploy.replicas`. */
const withReplicas = (service: Service): Service =>
  service.scale === undefined || !service.deploy
    ? service
    : { ...service, deploy: { ...service.deploy, replicas: service.scale } }
