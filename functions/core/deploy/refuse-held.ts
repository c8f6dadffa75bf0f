import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { problemLines } from '../../compose/yaml/problem.ts'
import { conflict } from '../errors.ts'
import { stackOn } from '../owners/find-owner.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerSummary } from '../records/container.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import type { Held } from './held.ts'
import { heldNames } from './held-names.ts'
import { heldPorts } from './held-ports.ts'
import type { PreparedDeployment } from './prepared.ts'

/** What a deployment plans, and where. */
type Planned = Pick<PreparedDeployment, 'request' | 'project' | 'plan' | 'claims'> & {
  engine: Pick<Engine, 'containers'>
}

/**
 * Refuses a deployment that would fail half way, because a container has a name that it gives to
 * another one, or publishes a port that it needs, and no step before frees it.
 *
 * @throws 409 that has a line for each, with the place in the file, the container and what helps
 */
export async function refuseHeld(planned: Planned, ports: Needs<'stacks'>): Promise<void> {
  const { plan, project, engine, request } = planned
  if (!project || plan.steps.length === 0) return
  const containers = await engine.containers({ all: true })
  const held = [
    ...heldNames(request.stack.id, plan.steps, containers),
    ...heldPorts(project, plan.steps, containers),
  ]
  if (held.length === 0) return
  const inOrder = held.toSorted((one, other) => placeOf(one, planned) - placeOf(other, planned))
  const lines = await Promise.all(inOrder.map((one) => lineOf(one, planned, ports)))
  throw conflict(problemLines([...new Set(lines)]), { reason: 'in-use' })
}

/** Returns the position of a need among those of the files. */
const placeOf = ({ service, port }: Held, { claims }: Planned): number =>
  claims.findIndex((claim) => claim.service === service && claim.port === port)

async function lineOf(one: Held, planned: Planned, ports: Needs<'stacks'>): Promise<string> {
  const { service, what, holder } = one
  const place = planned.claims[placeOf(one, planned)]?.place ?? `services.${service}: `
  if (typeof holder === 'string') {
    return `${place}${what} is needed by ${holder} too: only one can have it`
  }
  const by = await holderText(holder, planned, ports)
  return `${place}${what} is taken by ${by}: ${remedy(one, holder, planned)}`
}

/** Returns the name of a container as far as the caller may know it. */
async function holderText(
  { name, stack, service }: ContainerSummary,
  { request }: Planned,
  ports: Needs<'stacks'>,
): Promise<string> {
  const { stack: own, reach, mayDeploy, looksOutside = reach === 'host' } = request
  if (stack === own.id) return `container ${name} of service ${service}`
  const seesContainers = looksOutside || request.seesContainers === true
  if (!seesContainers && (stack === null || (await mayDeploy?.(stack)) !== true)) {
    return 'another container'
  }
  if (stack === null) return `container ${name}, which no stack made`
  const isStack = (await stackOn(stack, own.hostId, ports)) !== undefined
  return `container ${name} of ${isStack ? 'stack' : 'the compose project'} ${stack}`
}

/** Returns what frees the name or port. A stopped container keeps its name. */
function remedy(
  { port }: Held,
  { stack, service, labels }: ContainerSummary,
  { request, project }: Planned,
): string {
  const isName = port === null
  const other = `or choose another ${isName ? 'name' : 'port'}`
  if (stack !== request.stack.id || service === null || labels[label.oneoff] === 'True') {
    return `${isName ? 'remove' : 'stop or remove'} that one, ${other}`
  }
  const stop = isName ? 'remove its container' : 'stop it'
  if (ownEntry(project?.services, service)) {
    return `${isName ? `deploy service ${service}` : stop} first, ${other}`
  }
  if (ownEntry(project?.left_out, service)) return `deploy service ${service} too, or ${stop} first`
  if (ownEntry(project?.disabled_services, service)) {
    return `none of its profiles is active: ${stop} first`
  }
  const way = bringsUp(request.kind) ? 'set' : 'deploy with'
  return `the files have no such service: ${way} \`remove_orphans\` to remove it first`
}
