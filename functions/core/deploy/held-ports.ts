import { ownEntry } from '../../compose/lookup.ts'
import { jobsOf } from '../../compose/plan/compare/job.ts'
import type { Project } from '../../compose/project.ts'
import type { PortConfig } from '../../compose/service-parts.ts'
import type { Step } from '../../compose/step.ts'
import { haveCommonAddress } from '../net/addresses.ts'
import type { ContainerSummary } from '../records/container.ts'
import { type Held, isFreed } from './held.ts'

/** A port of the host that a container has, or gets by a step. */
interface Published {
  /** Empty for all addresses of the host. */
  address: string
  port: number
  protocol: string
  holder: ContainerSummary | Step
  /** The index in the ports of the service that the step starts. */
  index?: number
}

/** A port of the host that a service needs, or a range from which the Engine picks one. */
interface Needed {
  service: string
  index: number
  address: string
  first: number
  last: number
  protocol: string
}

/**
 * Returns the ports of the host that steps need to start containers and that other containers have,
 * or get by a step before. Containers that do not run have no ports. Programs of the host that
 * listen on a port cannot be seen.
 */
export function heldPorts(
  project: Project,
  steps: readonly Step[],
  containers: readonly ContainerSummary[],
): Held[] {
  const jobs = jobsOf(project)
  const starts = steps.filter((step) => neededBy(project, step).length > 0)
  const published = new Map<number, Published[]>()
  for (const one of [...containers.flatMap(publishedBy), ...starts.flatMap(publishedLater)]) {
    published.set(one.port, [...(published.get(one.port) ?? []), one])
  }
  return starts.flatMap((step) =>
    neededBy(project, step).flatMap((needed): Held[] => {
      const { service, index } = needed
      const holder = holderOf(needed, (one) => blocks(one, step, index))
      if (!holder) return []
      const by = 'after' in holder ? otherText(holder, step) : holder
      return [{ service, port: index, what: `port ${textOf(needed)} of the host`, holder: by }]
    }),
  )

  function publishedLater(step: Step): Published[] {
    // A job may have ended before another container needs its port.
    if (step.service === null || jobs.has(step.service)) return []
    return neededBy(project, step)
      .filter(({ first, last }) => first === last)
      .map(({ first: port, ...one }) => ({ ...one, port, holder: step }))
  }

  function blocks({ holder, index = 0 }: Published, step: Step, own: number): boolean {
    if (holder === step) return index < own
    if ('after' in holder) return holder.index < step.index && !jobs.has(step.service ?? '')
    const { name, stack, service } = holder
    const isSame = name === step.name && stack === project.name && service === step.service
    return !isSame && !isFreed(steps, step, name, ['stop', 'remove'])
  }

  /** Returns what has the port, or the first one of a range that is taken as a whole. */
  function holderOf(needed: Needed, isInTheWay: (one: Published) => boolean) {
    let found: Published['holder'] | undefined
    for (let port = needed.first; port <= needed.last; port += 1) {
      const taken = published.get(port)?.find((one) => collides(needed, one) && isInTheWay(one))
      if (!taken) return undefined
      found ??= taken.holder
    }
    return found
  }
}

/** Returns the ports of the host that a step needs to start a container. */
function neededBy(project: Project, { kind, action, service: name }: Step): Needed[] {
  if (kind !== 'container' || action !== 'start' || name === null) return []
  const service = ownEntry(project.services, name)
  // Without a network of its own, the Engine publishes nothing.
  if (!service || (service.network_mode && service.network_mode !== 'bridge')) return []
  return (service.ports ?? []).flatMap((port, index) => {
    const range = rangeOf(port)
    const { host_ip: address = '' } = port
    const protocol = (port.protocol ?? 'tcp').toLowerCase()
    return range ? [{ service: name, index, address, protocol, ...range }] : []
  })
}

/** Returns undefined if the Engine picks any free port. */
function rangeOf({ published = '' }: PortConfig): { first: number; last: number } | undefined {
  const [first = 0, last = first] = published.split('-').map(Number)
  return first > 0 && last >= first ? { first, last } : undefined
}

function publishedBy(holder: ContainerSummary): Published[] {
  // Some Engines list the ports that a stopped container would get.
  if (!['running', 'paused', 'restarting'].includes(holder.state)) return []
  return holder.ports.flatMap(({ public: port, protocol, ip }) =>
    port === null ? [] : [{ address: ip ?? '', port, protocol, holder }],
  )
}

function collides(needed: Needed, { protocol, address, holder }: Published): boolean {
  if (needed.protocol !== protocol) return false
  if (!('after' in holder)) return haveCommonAddress(needed.address, address)
  // Whether a port without an address gets an IPv6 one depends on the Engine.
  return haveCommonAddress(needed.address || '0.0.0.0', address || '0.0.0.0')
}

/** Returns what else needs a port, by the step that starts it. */
function otherText({ index, service }: Step, step: Step): string {
  if (index === step.index) return 'another entry of the service'
  return service === step.service ? 'another container of the service' : `service ${service}`
}

function textOf({ address, first, last, protocol }: Needed): string {
  const host = address.includes(':') ? `[${address}]:` : address === '' ? '' : `${address}:`
  const ports = first === last ? String(first) : `${first}-${last}`
  return `${host}${ports}${protocol === 'tcp' ? '' : `/${protocol}`}`
}
