import { partBefore } from '../part-before.ts'
import { printValue } from '../yaml/print-value.ts'
import type { Tree, TreeMap } from '../yaml/tree.ts'
import { emptyMap, isMap, mapAt, mapOf } from '../yaml/tree.ts'
import { fillIn } from './resolve-environment.ts'

/**
 * Makes explicit what a tree in long form implies: the network `default` where a service uses it,
 * dependencies through links and shared namespaces, and the names of networks, volumes, secrets and
 * configs on the Engine.
 */
export function normalize(
  tree: TreeMap,
  project: string,
  variables: ReadonlyMap<string, string>,
): TreeMap {
  const normal = mapOf(Object.entries(tree))
  const services = mapOf(
    Object.entries(mapAt(tree, 'services')).map(
      ([name, service]) =>
        [name, isMap(service) ? normalService(service, variables) : service] as const,
    ),
  )
  if (isMap(tree.services)) normal.services = services
  const networks = mapAt(tree, 'networks')
  if (!('default' in networks) && Object.values(services).some(usesDefault)) networks.default = null
  if (Object.keys(networks).length > 0) normal.networks = networks
  for (const kind of ['networks', 'volumes', 'secrets', 'configs']) {
    if (isMap(normal[kind])) normal[kind] = withNames(mapAt(normal, kind), project)
  }
  return normal
}

const usesDefault = (service: Tree): boolean =>
  isMap(service) && 'default' in mapAt(service, 'networks') && service.network_mode === undefined

function normalService(service: TreeMap, variables: ReadonlyMap<string, string>): TreeMap {
  const normal = mapOf(Object.entries(service))
  const attached = normal.provider !== undefined || normal.network_mode !== undefined
  if (!attached && Object.keys(mapAt(normal, 'networks')).length === 0) {
    normal.networks = mapOf<Tree>([['default', null]])
  }
  if (normal.pull_policy === 'if_not_present') normal.pull_policy = 'missing'
  if (isMap(normal.build)) normal.build = normalBuild(normal.build, variables)
  if (normal.environment !== undefined) normal.environment = fillIn(normal.environment, variables)
  const { image } = normal
  if (Array.isArray(normal.pre_start) && image !== undefined) {
    normal.pre_start = normal.pre_start.map((hook) =>
      isMap(hook) && hook.image === undefined
        ? mapOf([...Object.entries(hook), ['image', image]])
        : hook,
    )
  }
  const dependencies = impliedDependencies(normal)
  if (Object.keys(dependencies).length > 0) normal.depends_on = dependencies
  return normal
}

function normalBuild(build: TreeMap, variables: ReadonlyMap<string, string>): TreeMap {
  const normal = mapOf(Object.entries(build))
  normal.context ??= '.'
  if (normal.dockerfile_inline === undefined) normal.dockerfile ??= 'Dockerfile'
  if (normal.args !== undefined) normal.args = withoutUnset(fillIn(normal.args, variables))
  return normal
}

function withoutUnset(args: Tree): Tree {
  if (Array.isArray(args)) return args.filter((item) => printValue(item).includes('='))
  if (!isMap(args)) return args
  return mapOf(Object.entries(args).filter(([, value]) => value !== null))
}

/**
 * Returns `depends_on` with the dependencies implied by links, shared namespaces and
 * `volumes_from`.
 */
function impliedDependencies(service: TreeMap): TreeMap {
  const dependencies = mapOf(Object.entries(mapAt(service, 'depends_on')))
  const add = (name: string, restart: boolean) => {
    dependencies[name] ??= mapOf<Tree>([
      ['condition', 'service_started'],
      ['required', true],
      ['restart', restart],
    ])
  }
  for (const link of listAt(service, 'links')) add(partBefore(link, ':'), true)
  for (const namespace of ['network_mode', 'ipc', 'pid', 'uts', 'cgroup']) {
    const name = sharedService(service[namespace])
    if (name !== undefined) add(name, true)
  }
  for (const source of listAt(service, 'volumes_from')) {
    if (!source.startsWith('container:')) add(partBefore(source, ':'), false)
  }
  return dependencies
}

const listAt = (service: TreeMap, key: string): string[] => {
  const value = service[key]
  return Array.isArray(value) ? value.map(printValue) : []
}

/** Returns the name in `service:name`; undefined for other values. */
export const sharedService = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('service:')
    ? value.slice('service:'.length)
    : undefined

function withNames(resources: TreeMap, project: string): TreeMap {
  return mapOf(
    Object.entries(resources).map(([key, resource]) => {
      const named = isMap(resource) ? mapOf(Object.entries(resource)) : emptyMap()
      named.name ??= named.external === true ? key : `${project}_${key}`
      return [key, named] as const
    }),
  )
}
