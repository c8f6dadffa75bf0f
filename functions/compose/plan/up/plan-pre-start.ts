import { networkKeys } from '../../create/endpoints.ts'
import { hookContainerBody } from '../../create/hook-container.ts'
import { containerName } from '../../create/labels.ts'
import { configHash } from '../../hash/hash.ts'
import { networkOf, ownEntry, serviceOf } from '../../lookup.ts'
import type { Hook } from '../../service-parts.ts'
import { imageOf } from '../../used-resources.ts'
import { decisionOf, parentsOf } from '../compare/decide.ts'
import { addStep, type StepContext } from '../plan-steps.ts'
import { isUp } from '../stop/service-containers.ts'
import { removeContainer } from '../stop/stop-container.ts'
import { knownImage, type Planning, type StartDraft } from './planning-state.ts'
import { atLeast } from './refusals.ts'

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
  const hooks = serviceOf(project, first.service).pre_start ?? []
  if (decisionOf(decisions, first.service).keep.some(isUp)) return undefined
  let last: number | undefined
  for (const [index, hook] of hooks.entries()) {
    last = planHook(planning, first, { hook, index }, last === undefined ? after : [last])
  }
  return last
}

function planHook(
  planning: Planning,
  first: StartDraft,
  { hook, index }: { hook: Hook; index: number },
  after: readonly (number | undefined)[],
): number {
  const { plan, project, options, snapshot } = planning
  const { service: name } = first
  const service = serviceOf(project, name)
  const container = `${project.name}-${name}-pre_start-${index + 1}`
  const about = { reason: `pre_start[${index}]`, service: name }
  const leftover = snapshot.containers.find((one) => one.name === container)
  const free = leftover && removeContainer(plan, leftover, 'left by a failed pre_start', [])
  const image = hook.image ?? imageOf(project, name)
  const allNetworks = atLeast(options.apiVersion, '1.44')
  const draft = {
    service: name,
    hook,
    number: index + 1,
    image,
    allNetworks,
    container: first.name,
    hash: configHash(service),
    networkMode: joinedNetwork(planning, name),
  }
  const call = { kind: 'container', name: container } as const
  const create = addStep(
    plan,
    { ...about, after: [...after, free, planning.fetches.get(image)] },
    {
      ...call,
      action: 'create',
      image,
      imageId: knownImage(planning, image),
      body: hookContainerBody(project, draft),
    },
  )
  const ready = allNetworks
    ? [create]
    : [create, ...connects(planning, { about, container, create })]
  const start = addStep(plan, { ...about, after: ready }, { ...call, action: 'start' })
  const condition = 'service_completed_successfully' as const
  const wait = { ...call, action: 'wait', condition, required: true } as const
  const end = addStep(plan, { ...about, after: [start] }, wait)
  const remove = { ...call, action: 'remove', volumes: false, force: true } as const
  return addStep(plan, { ...about, after: [end] }, remove)
}

/**
 * Connects a hook's container to the other networks, on an Engine that accepts one network in the
 * create call.
 */
function connects(
  { plan, project }: Planning,
  {
    about,
    container,
    create,
  }: { about: StepContext & { service: string }; container: string; create: number },
): number[] {
  return networkKeys(serviceOf(project, about.service))
    .slice(1)
    .map((key) => {
      const name = networkOf(project, key).name
      const call = { action: 'connect', kind: 'network', name, container, body: {} } as const
      return addStep(plan, { ...about, after: [create] }, call)
    })
}

/**
 * Returns the network mode that joins another service's container, by the name that the container
 * has by then.
 */
function joinedNetwork(
  { project, decisions, joinable }: Planning,
  name: string,
): string | undefined {
  const mode = serviceOf(project, name).network_mode
  if (!mode?.startsWith('service:')) return undefined
  const service = mode.slice('service:'.length)
  const parent = ownEntry(parentsOf(project, name, joinable), service)
  if (parent && 'id' in parent) return `container:${parent.id}`
  const { recreate = [], create = [] } = decisions.get(service) ?? {}
  const numbers = [
    ...recreate.map(({ container }) => container.number),
    ...create.map((one) => one.number),
  ]
  return `container:${containerName(project, service, Math.min(...numbers))}`
}
