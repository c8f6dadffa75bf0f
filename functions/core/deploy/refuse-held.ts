import { ownEntry } from '../../compose/lookup.ts'
import type { PortConfig } from '../../compose/service-parts.ts'
import type { Port } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import { conflict } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { PreparedDeployment } from './prepared.ts'
import type { DeploymentRequest } from './request.ts'

/** What a deployment plans, and where. */
type Planned = Pick<PreparedDeployment, 'request' | 'project' | 'plan'> & {
  engine: Pick<Engine, 'containers'>
}

/** A name or port of the host that a step needs and a container has. */
interface Claim {
  step: Step
  what: string
  holder: ContainerSummary
  /** The actions on the holder that free it. */
  freedBy: readonly Step['action'][]
}

/**
 * Refuses a deployment that would fail half way, because a container has a name that it gives to
 * another one, or publishes a port that it needs, and no step before frees it. Programs of the host
 * that listen on a port cannot be seen.
 *
 * @throws 409 that names the service, the container and what helps
 */
export async function refuseHeld(planned: Planned): Promise<void> {
  const { plan, engine, request } = planned
  const containers = await engine.containers({ all: true })
  const all = [...nameClaims(planned, containers), ...portClaims(planned, containers)]
  for (const claim of all) {
    if (isFreed(plan.steps, claim)) continue
    const { step, what, holder } = claim
    throw conflict(
      `service ${step.service}: ${what} is taken by ${await holderText(holder, request)}: ${remedy(planned, holder)}`,
      { reason: 'in-use' },
    )
  }
}

/** Returns whether a container is one of the same service, which the plan takes care of. */
const isOwn = (
  { stack, service }: ContainerSummary,
  step: Step,
  { stack: { id } }: DeploymentRequest,
) => stack === id && service === step.service

function nameClaims({ plan, request }: Planned, containers: readonly ContainerSummary[]): Claim[] {
  const byName = new Map(containers.map((one) => [one.name, one]))
  return plan.steps.flatMap((step): Claim[] => {
    if (step.kind !== 'container') return []
    const name = step.action === 'rename' ? step.to : step.action === 'create' ? step.name : ''
    const holder = byName.get(name)
    if (!holder || isOwn(holder, step, request)) return []
    const what = `the container name ${name}`
    return [{ step, what, holder, freedBy: ['remove', 'rename'] }]
  })
}

function portClaims(
  { plan, project, request }: Planned,
  containers: readonly ContainerSummary[],
): Claim[] {
  const publishing = containers.filter(({ ports }) => ports.length > 0)
  if (publishing.length === 0) return []
  return plan.steps.flatMap((step): Claim[] => {
    if (step.kind !== 'container' || step.action !== 'start' || step.service === null) return []
    const service = ownEntry(project?.services, step.service)
    // Without a network of its own, the Engine publishes nothing.
    if (!service || (service.network_mode && service.network_mode !== 'bridge')) return []
    return (service.ports ?? []).flatMap((port): Claim[] => {
      const holder = publishing.find(
        (one) => !isOwn(one, step, request) && one.ports.some((other) => collides(port, other)),
      )
      if (!holder) return []
      const address = port.host_ip ? `${port.host_ip}:${port.published}` : port.published
      const what = `port ${address} of the host`
      return [{ step, what, holder, freedBy: ['stop', 'remove'] }]
    })
  })
}

/** Returns whether both need the same port. A range has others, from which the Engine picks one. */
function collides({ published, protocol = 'tcp', host_ip }: PortConfig, other: Port): boolean {
  if (Number(published || 'none') !== other.public || protocol !== other.protocol) return false
  const [ours, theirs] = [host_ip ?? '', other.ip ?? '']
  if (ours === '' || theirs === '' || ours === theirs) return true
  const isSameFamily = ours.includes(':') === theirs.includes(':')
  return isSameFamily && [ours, theirs].some((one) => one === '0.0.0.0' || one === '::')
}

/** Returns whether a step that comes before the one of the claim frees what it needs. */
function isFreed(steps: readonly Step[], { step, holder, freedBy }: Claim): boolean {
  const before = new Set<number>()
  const waiting = [...step.after]
  for (const index of waiting) {
    if (before.has(index)) continue
    before.add(index)
    waiting.push(...(steps[index]?.after ?? []))
  }
  return [...before].some((index) => {
    const one = steps[index]
    return one?.kind === 'container' && one.name === holder.name && freedBy.includes(one.action)
  })
}

/** Returns the name of a container as far as the caller may know it. */
async function holderText(
  { name, stack, service }: ContainerSummary,
  { stack: own, reach, looksOutside = reach === 'host', mayDeploy }: DeploymentRequest,
): Promise<string> {
  if (stack === null) return `container ${name}, which no stack made`
  if (stack === own.id) return `container ${name} of service ${service}`
  const isKnown = looksOutside || (await mayDeploy?.(stack)) === true
  return isKnown ? `container ${name} of ${stack}` : 'a container of another stack'
}

/** Returns what frees the name or port. */
function remedy({ request, project }: Planned, { stack, service }: ContainerSummary): string {
  if (stack !== request.stack.id) return 'stop or remove that one, or choose another'
  const known = [project?.services, project?.disabled_services, project?.left_out]
  const isOrphan = known.every((services) => !ownEntry(services, service ?? ''))
  return isOrphan
    ? 'the files have no such service: set `remove_orphans` to remove it first'
    : `deploy or stop service ${service} first`
}
