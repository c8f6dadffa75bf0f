import { networkKeys } from '../create/endpoints.ts'
import { hookContainerBody } from '../create/hook-container.ts'
import { containerName } from '../create/labels.ts'
import { configHash } from '../hash/hash.ts'
import { parentsOf } from './decide.ts'
import { type About, add } from './draft.ts'
import { isUp, knownImage, type Planning, type StartDraft } from './planning.ts'
import { atLeast } from './refusals.ts'
import { removeContainer } from './stop-container.ts'
import { imageOf } from './wanted.ts'

/**
 * Adds the `pre_start` commands of a service and returns the last step. Each command runs in its
 * own container, one after the other; the container is removed afterwards. The commands run once
 * for the whole service, and only if none of its kept containers is up. If a command fails, its
 * container stays for its logs until the next deploy and the service does not start.
 */
export function planPreStart(
  planning: Planning,
  first: StartDraft,
  after: readonly (number | undefined)[],
): number | undefined {
  const { project, decisions } = planning
  const hooks = project.services[first.service]!.pre_start ?? []
  if (decisions.get(first.service)!.keep.some(isUp)) return undefined
  let last: number | undefined
  for (const index of hooks.keys()) {
    last = planHook(planning, first, index, last === undefined ? after : [last])
  }
  return last
}

function planHook(
  planning: Planning,
  first: StartDraft,
  index: number,
  after: readonly (number | undefined)[],
): number {
  const { plan, project, options, snapshot } = planning
  const { service: name } = first
  const service = project.services[name]!
  const hook = service.pre_start![index]!
  const container = `${project.name}-${name}-pre_start-${index + 1}`
  const about: About = { reason: `pre_start[${index}]`, service: name }
  const left = snapshot.containers.find((one) => one.name === container)
  const free = left && removeContainer(plan, left, 'left by a failed pre_start', [])
  const image = hook.image ?? imageOf(project, name)
  const allNetworks = atLeast(options.apiVersion, '1.44')
  const draft = {
    ...{ service: name, hook, number: index + 1, image, allNetworks, container: first.name },
    hash: configHash(service),
    networkMode: joinedNetwork(planning, name),
  }
  const call = { kind: 'container', name: container } as const
  const create = add(
    plan,
    { ...about, after: [...after, free, planning.fetches.get(image)] },
    {
      ...{ ...call, action: 'create', image, imageId: knownImage(planning, image) },
      body: hookContainerBody(project, draft),
    },
  )
  const ready = allNetworks
    ? [create]
    : [create, ...connects(planning, { about, container, create })]
  const start = add(plan, { ...about, after: ready }, { ...call, action: 'start' })
  const condition = 'service_completed_successfully' as const
  const wait = { ...call, action: 'wait', condition, required: true } as const
  const end = add(plan, { ...about, after: [start] }, wait)
  const remove = { ...call, action: 'remove', volumes: false, force: true } as const
  return add(plan, { ...about, after: [end] }, remove)
}

/**
 * Connects a hook's container to the other networks, on an Engine that accepts one network in the
 * create call.
 */
function connects(
  { plan, project }: Planning,
  { about, container, create }: { about: About; container: string; create: number },
): number[] {
  return networkKeys(project.services[about.service!]!)
    .slice(1)
    .map((key) => {
      const name = project.networks[key]!.name
      const call = { action: 'connect', kind: 'network', name, container, body: {} } as const
      return add(plan, { ...about, after: [create] }, call)
    })
}

/**
 * Returns the network mode that joins another service's container, by the name that the container
 * has by then.
 */
function joinedNetwork({ project, decisions }: Planning, name: string): string | undefined {
  const mode = project.services[name]!.network_mode
  if (!mode?.startsWith('service:')) return undefined
  const service = mode.slice('service:'.length)
  const parent = parentsOf(project, name, decisions)[service]
  if (parent && 'id' in parent) return `container:${parent.id}`
  const { recreate = [], create = [] } = decisions.get(service) ?? {}
  const numbers = [
    ...recreate.map(({ container }) => container.number),
    ...create.map((one) => one.number),
  ]
  return `container:${containerName(project, service, Math.min(...numbers))}`
}
