import { label } from '../../compose/create/labels.ts'
import type { ContainerRun, ContainerSummary } from '../records/container.ts'
import { type DeploymentKind, kindRules } from '../records/deployment-kinds.ts'
import type { EngineUptime } from '../records/host-engine.ts'
import type { ContainerStop } from '../records/host-stops.ts'
import type { ServiceExpectation, StackRecord } from '../records/stack.ts'
import type { ServiceState, ServiceVerb, StackStatus } from '../records/stack-state.ts'
import { expectationOf, expectedContainers, verbOf } from './expectation.ts'
import { type ContainerFacts, type ServiceFacts, serviceState } from './service-state.ts'
import { countServices, type ServiceCounts, stackStatus } from './stack-status.ts'

/** A container of a stack, with everything that decides on the state of its service. */
export interface StackContainer extends ContainerFacts {
  summary: ContainerSummary
  /** The number in its name. */
  number: number
}

/** A service of a stack, its state and what the state follows from. */
export interface StackService extends ServiceFacts {
  name: string
  state: ServiceState
  /** What the compose file says. */
  inFile: ServiceExpectation | undefined
  /** What a user last did to it. */
  verb: ServiceVerb | undefined
  /** All of its containers that exist, by number. */
  existing: readonly StackContainer[]
}

/** What is known of a stack at a moment. */
export interface StackState {
  status: StackStatus
  /** The operation that runs. */
  operation: DeploymentKind | null
  services: ServiceCounts
  byName: ReadonlyMap<string, StackService>
}

/** A host as it was observed. */
export interface ObservedHost {
  /** By the name of the stack. */
  containers: ReadonlyMap<string | null, readonly StackContainer[]>
  engine: EngineUptime | null
}

/** What is known of a container beside its entry in the list. */
export interface ContainerKnowledge {
  run: ContainerRun | null
  stop: ContainerStop | null
  settlingTime: number
}

/** Returns a container of a stack. */
export function stackContainer(
  summary: ContainerSummary,
  known: ContainerKnowledge,
): StackContainer {
  const { state, health, exitCode, upSeconds, labels } = summary
  return {
    ...known,
    summary,
    state,
    health,
    exitCode,
    upSeconds,
    number: Number(labels[label.number] ?? 0) || 0,
  }
}

/**
 * Returns whether a container counts for the state of a stack: a compose tool created it for a
 * service, and it is not being removed.
 */
export const isOfService = ({ state, labels }: ContainerSummary): boolean =>
  labels[label.configHash] !== undefined && labels[label.oneoff] !== 'True' && state !== 'removing'

/**
 * Returns the state of a stack and of its services, by its record and its containers.
 *
 * @param host undefined if the host does not respond
 */
export function stackState(stack: StackRecord, host: ObservedHost | undefined): StackState {
  const containers = (host?.containers.get(stack.id) ?? []).filter(({ summary }) =>
    isOfService(summary),
  )
  const operation = stack.last?.status === 'running' ? (stack.last.kind ?? 'deploy') : null
  const isDown = isDownByRecord(stack) && containers.length === 0
  const context = { stack, operation, isDown, engine: host?.engine ?? null }
  const grouped = byService(Object.keys(stack.services), containers)
  const byName = new Map(
    [...grouped.keys()]
      .sort()
      .map((name) => [name, serviceOf(name, grouped.get(name) ?? [], context)] as const),
  )
  const services = [...byName.values()]
  const status = stackStatus({
    isReachable: host !== undefined,
    isChanging: operation !== null,
    isDown,
    isStopped: !stack.deployed,
    services,
  })
  // Nothing of a stack that is not deployed is expected; the numbers say what a deploy would bring.
  const total = Object.values(stack.services).filter((one) => one.containers > 0).length
  const counts = isDown ? { total, running: 0, unhealthy: 0 } : countServices(services)
  return { status, operation, services: counts, byName }
}

/**
 * Returns the containers of each service: of those that the stack has, and of those that labels
 * name. Anyone who can create containers on the host writes labels, so there may be thousands.
 */
function byService(names: readonly string[], containers: readonly StackContainer[]) {
  const groups = new Map<string, StackContainer[]>(names.map((name) => [name, []]))
  for (const container of containers) {
    const { service } = container.summary
    if (service === null) continue
    const group = groups.get(service)
    if (group) group.push(container)
    else groups.set(service, [container])
  }
  return groups
}

/** What the services of a stack share. */
interface StackContext {
  stack: StackRecord
  operation: DeploymentKind | null
  isDown: boolean
  engine: EngineUptime | null
}

function serviceOf(
  name: string,
  own: readonly StackContainer[],
  { stack, operation, isDown, engine }: StackContext,
): StackService {
  const inFile = expectationOf(stack, name)
  const verb = verbOf(stack, name)
  const expected = isDown ? 0 : expectedContainers(stack, name)
  const existing = own.toSorted(inOrder)
  const facts: ServiceFacts = {
    expected,
    isJob: inFile?.job ?? false,
    containers: existing.slice(0, expected),
    isDeploying: operation !== null && kindRules[operation].starts && isAffected(stack, name),
    isStopped: verb?.verb === 'stop' || !stack.deployed,
    engine,
  }
  return { ...facts, name, inFile, verb, existing, state: serviceState(facts) }
}

const isAffected = ({ last }: StackRecord, name: string): boolean =>
  last?.affected?.includes(name) ?? true

/** Orders containers by number. While a tool replaces one, two have the same number. */
function inOrder(one: StackContainer, other: StackContainer): number {
  const runs = ({ state }: StackContainer) => Number(state === 'running')
  const byNumber = one.number - other.number || runs(other) - runs(one)
  return byNumber || (one.summary.id < other.summary.id ? -1 : 1)
}

/**
 * Returns whether a stack was never up or was taken down, by its record. A stack that was adopted
 * was up before its first deployment.
 */
function isDownByRecord({
  down,
  deployed,
  deployedAt,
  adopted,
  last,
  verbs = {},
}: StackRecord): boolean {
  if (down) return true
  if (deployed || deployedAt !== null || Object.keys(verbs).length > 0) return false
  return !adopted || last === null
}
