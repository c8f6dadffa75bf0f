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

/** How a stack is: its status, and how many of its services run as asked. */
export interface StackCondition {
  status: StackStatus
  services: { total: number; running: number }
}

type Observed = Pick<ContainerSummary, 'service' | 'state' | 'health' | 'exitCode' | 'labels'>

/** The stack's condition, from its record and its containers; `undefined` when its host does not answer. */
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

/** As many containers as asked are up and not unhealthy, or have done their work and exited 0. */
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
 * The conditions of stacks, one list of containers a host. A host that does not answer makes its stacks `unknown` and
 * fails nothing.
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

/** The containers on a host by the name of their stack; `undefined` when it does not answer. */
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
