import { restartedWith } from '../../compose/cut-off-services.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { limits } from '../../compose/measure/limits.ts'
import { pinImages } from '../../compose/plan/compare/pinned.ts'
import { restartingServices } from '../../compose/plan/restarting-services.ts'
import { selectServices, withReplicas } from '../../compose/plan/up/select-services.ts'
import type { Project } from '../../compose/project.ts'
import { scaleOf } from '../../compose/used-resources.ts'
import { unprocessable } from '../errors.ts'
import { keepsScale } from '../records/deployment-kinds.ts'
import type { ServiceExpectation } from '../records/stack.ts'
import {
  expectations,
  type LoadedFiles,
  type LoadPorts,
  loadFiles,
} from '../stacks/load-project.ts'
import { noService } from '../stacks/no-service.ts'
import type { DeploymentRequest } from './request.ts'

/** The project of a deployment: all of it, and the part that the deployment is about. */
export interface LoadedSelection {
  loaded: LoadedFiles
  /** All services, with pinned images. */
  whole: Project
  /** The services that the deployment is about. The others are in `left_out`. */
  project: Project
  /** What the files say of the services that the deployment is about. */
  expected: Record<string, ServiceExpectation>
}

/**
 * Loads the project of a request and selects the services that it names, and those that they depend
 * on; with images that get names also those that would be cut off. A named service is active even
 * if none of its profiles is.
 *
 * @throws 404 if a service does not exist, 422 if a profile does not exist or the services get more
 *   containers than a project may have, and what `loadFiles` throws
 */
export async function loadSelected(
  request: DeploymentRequest,
  ports: LoadPorts,
): Promise<LoadedSelection> {
  const { stack, options } = request
  const loaded = await loadActive(request, ports)
  const { services, images = {}, withoutDependencies = false } = options
  const { services: active, disabled_services: disabled } = loaded.project
  const scaledNow = Object.keys(options.replicas ?? {})
  const unknown = [...services, ...scaledNow].find((name) => !Object.hasOwn(active, name))
  if (unknown !== undefined) {
    throw noService(stack.id, unknown, [...Object.keys(active), ...Object.keys(disabled)])
  }
  const named = options.retag ? withCutOff(services, active, stack) : services
  const selection = { services: named, dependencies: !withoutDependencies }
  const inFile = selectServices(loaded.project, selection)
  const whole = pinImages(loaded.project, images)
  const selected = selectServices(whole, selection)
  const project = scaled(selected, request)
  return { loaded, whole, project, expected: expectations(inFile) }
}

/**
 * Returns services with those that are up and would lose the network of their containers. No one
 * reads the plan of a deploy that the service began.
 */
function withCutOff(
  services: readonly string[],
  active: Project['services'],
  stack: DeploymentRequest['stack'],
): string[] {
  const up = restartingServices(active).filter(({ service }) => {
    const expected = ownEntry(stack.services, service)
    const verb = ownEntry(stack.verbs ?? {}, service)?.verb
    const isLeft = verb === 'stop' || verb === 'pause'
    return expected !== undefined && expected.inactive !== true && !isLeft
  })
  return [...services, ...restartedWith(services, up)]
}

async function loadActive(request: DeploymentRequest, ports: LoadPorts): Promise<LoadedFiles> {
  const { stack, files, options, askedProfiles = [] } = request
  // Asked for only if someone else may have written them; see `findBeyondSavers`.
  const listsPrivileged = files.savedBy !== undefined
  const reading = { ...request, allResources: options.allResources, listsPrivileged }
  const loaded = await loadFiles(stack, files, reading, ports)
  const { services, disabled_services: disabled } = loaded.project
  const known = profilesOf({ ...services, ...disabled })
  const unknown = askedProfiles.find((name) => name !== '*' && !known.has(name))
  if (unknown !== undefined) {
    throw unprocessable(`profiles: no service has the profile ${JSON.stringify(unknown)}`)
  }
  const named = options.services.filter((name) => Object.hasOwn(disabled, name))
  if (named.length === 0) return loaded
  const own = named.flatMap((name) => ownEntry(disabled, name)?.profiles ?? [])
  return loadFiles(stack, files, { ...reading, profiles: [...loaded.profiles, ...own] }, ports)
}

const profilesOf = (services: Project['services']): ReadonlySet<string> =>
  new Set(Object.values(services).flatMap(({ profiles }) => profiles ?? []))

/**
 * Returns the project with the numbers of containers that the request sets. A scale keeps those
 * that users set earlier, a deploy resets them.
 */
function scaled(project: Project, request: DeploymentRequest): Project {
  const { replicas: now = {} } = request.options
  const replicas = keepsScale(request) ? { ...earlierReplicas(request.stack), ...now } : now
  if (Object.keys(replicas).length === 0) return project
  const absent = Object.keys(now).find((name) => !Object.hasOwn(project.services, name))
  if (absent !== undefined) {
    throw unprocessable(
      `scale: services does not name ${absent}, so that the deploy leaves it as it is`,
    )
  }
  const result = withReplicas(project, replicas)
  for (const name of Object.keys(now)) refuseSharedPort(name, result)
  let count = 0
  for (const [name, service] of Object.entries(result.services)) {
    const scale = scaleOf(service)
    count += scale
    if (scale > 1 && service.container_name !== undefined) {
      throw unprocessable(
        `services.${name}: its container_name ${service.container_name} allows one container only`,
      )
    }
  }
  if (count > limits.containers) {
    const text = `the project has ${count} containers; the limit \`containers\` is ${limits.containers}`
    throw unprocessable(text, { reason: 'limit' })
  }
  return result
}

const earlierReplicas = ({ verbs = {} }: DeploymentRequest['stack']): Record<string, number> =>
  Object.fromEntries(
    Object.entries(verbs).flatMap(([name, { replicas }]) =>
      replicas === undefined ? [] : [[name, replicas] as const],
    ),
  )

/** Refuses a number of containers of which only the first one could start. */
function refuseSharedPort(name: string, { services }: Project): void {
  const service = ownEntry(services, name)
  if (!service || scaleOf(service) <= 1) return
  const fixed = service.ports?.find(({ published = '' }) => /^[1-9]\d*$/.test(published))
  if (!fixed) return
  throw unprocessable(
    `services.${name}: it publishes port ${fixed.published} of the host, which allows one container only`,
  )
}
