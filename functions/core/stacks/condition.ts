import type { ContainerSummary } from '../engine/engine.ts'
import { askHost } from '../hosts/ask-host.ts'
import type { Needs } from '../ports.ts'
import type { ServiceExpectation, StackRecord } from './stack.ts'

export type StackStatus =
  | 'not_deployed'
  | 'deploying'
  | 'running'
  | 'partial'
  | 'stopped'
  | 'failed'
  | 'unknown'

/** The status of a stack, and how many of its services run as expected. */
export interface StackCondition {
  status: StackStatus
  services: { total: number; running: number }
}

type Observed = Pick<ContainerSummary, 'service' | 'state' | 'health' | 'exitCode' | 'labels'>

/**
 * Returns the condition of a stack by its record and its containers.
 *
 * @param containers undefined if the host does not respond
 */
export function stackCondition(
  stack: StackRecord,
  containers: readonly Observed[] | undefined,
): StackCondition {
  const services = Object.entries(stack.services).filter(([, expected]) => expected.containers > 0)
  const groups = byService(containers ?? [])
  const good = services.filter(([name, expected]) => asExpected(expected, groups.get(name) ?? []))
  const counts = { total: services.length, running: good.length }
  return { status: statusOf(stack, containers, counts), services: counts }
}

function statusOf(
  stack: StackRecord,
  containers: readonly Observed[] | undefined,
  { total, running }: { total: number; running: number },
): StackStatus {
  if (stack.last?.status === 'running') return 'deploying'
  if (!containers) return 'unknown'
  const lastFailed = stack.last?.status === 'failed' || stack.last?.status === 'interrupted'
  if (lastFailed && stack.deployed) return 'failed'
  if (running === total && (total > 0 || stack.deployed) && containers.length > 0) return 'running'
  if (containers.some((container) => container.state === 'running')) return 'partial'
  return stack.deployed || stack.deployedAt !== null || containers.length > 0
    ? 'stopped'
    : 'not_deployed'
}

/** Returns whether enough containers run and are not unhealthy, or are jobs that exited with 0. */
function asExpected(expected: ServiceExpectation, containers: readonly Observed[]): boolean {
  const own = containers.filter(({ labels }) => labels[oneoff] !== 'True')
  const good = own.filter(
    ({ state, health, exitCode }) =>
      (state === 'running' && health !== 'unhealthy') ||
      (state === 'exited' && exitCode === 0 && expected.job),
  )
  return good.length >= expected.containers
}

function byService(containers: readonly Observed[]): Map<string | null, Observed[]> {
  const groups = new Map<string | null, Observed[]>()
  for (const container of containers) {
    const group = groups.get(container.service)
    if (group) group.push(container)
    else groups.set(container.service, [container])
  }
  return groups
}

const oneoff = 'com.docker.compose.oneoff'

/**
 * Returns the conditions of stacks, with one list of containers per host. Stacks on a host that
 * does not respond are `unknown`; this never fails because of a host.
 */
export async function conditionsOf(
  stacks: readonly StackRecord[],
  ports: Needs<'engines' | 'clock'>,
): Promise<StackCondition[]> {
  const hostIds = [...new Set(stacks.map((stack) => stack.hostId))]
  const lists = new Map(
    await Promise.all(
      hostIds.map(async (hostId) => [hostId, await containersOn(hostId, ports)] as const),
    ),
  )
  return stacks.map((stack) => {
    const onHost = lists.get(stack.hostId)
    return stackCondition(stack, onHost && (onHost.get(stack.id) ?? []))
  })
}

/**
 * Returns the containers on a host by the name of their stack, or undefined if the host does not
 * respond.
 */
export async function containersOn(
  hostId: string,
  ports: Needs<'engines' | 'clock'>,
): Promise<Map<string | null, ContainerSummary[]> | undefined> {
  const containers = await askHost(hostId, ports, (engine) =>
    engine.containers({ all: true }),
  ).catch(() => undefined)
  if (!containers) return undefined
  const groups = new Map<string | null, ContainerSummary[]>()
  for (const container of containers) {
    const group = groups.get(container.stack)
    if (group) group.push(container)
    else groups.set(container.stack, [container])
  }
  return groups
}
