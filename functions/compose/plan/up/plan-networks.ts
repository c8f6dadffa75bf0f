import { compact } from '../../create/container-body.ts'
import { endpoint } from '../../create/endpoints.ts'
import { label } from '../../create/labels.ts'
import { networkBody } from '../../create/network-body.ts'
import { unprocessable } from '../../errors.ts'
import { networkHash } from '../../hash/hash.ts'
import { networkOf, ownEntry, serviceOf } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { ObservedContainer, ObservedNetwork, Resolved, Snapshot } from '../../snapshot.ts'
import { usedNetworks } from '../../used-resources.ts'
import { addStep } from '../plan-steps.ts'
import { isUp } from '../stop/service-containers.ts'
import { stopContainer } from '../stop/stop-container.ts'
import type { Planning } from './planning-state.ts'

/** The change to a network of the project. */
export type NetworkDecision =
  | { kind: 'keep'; id: string }
  | { kind: 'create' }
  | { kind: 'replace'; network: ObservedNetwork }

/** The information on which decisions about networks are based. */
export interface NetworkView {
  project: Project
  snapshot: Snapshot
  resolved: Resolved
  options: { removeOrphans: boolean }
}

/**
 * Compares the project's networks with those on the host, by key. A network without a recorded
 * hash, or one used by containers outside the project, is left unchanged.
 *
 * @throws 422 if an external network does not exist
 */
export function decideNetworks(
  view: NetworkView,
  warnings: string[],
): Record<string, NetworkDecision> {
  const { project, snapshot, resolved } = view
  const decisions: Record<string, NetworkDecision> = {}
  for (const key of usedNetworks(project)) {
    const config = networkOf(project, key)
    const own = snapshot.networks.find(
      (network) => network.name === config.name && network.labels[label.network] === key,
    )
    const found = own ?? ownEntry(resolved.networks, config.name)
    if (config.external && !found) {
      throw unprocessable(`networks.${key}: external network ${config.name} is not on the host`)
    }
    if (!found) decisions[key] = { kind: 'create' }
    else if (config.external) decisions[key] = { kind: 'keep', id: found.id }
    else decisions[key] = own ? judge(view, key, own, warnings) : foreign(found, warnings)
  }
  return decisions
}

function foreign(
  network: Pick<ObservedNetwork, 'id' | 'name'>,
  warnings: string[],
): NetworkDecision {
  warnings.push(`network ${network.name} was not created by this project and is used unchanged`)
  return { kind: 'keep', id: network.id }
}

function judge(
  { project, snapshot, options }: NetworkView,
  key: string,
  network: ObservedNetwork,
  warnings: string[],
): NetworkDecision {
  const recorded = network.labels[label.configHash]
  if (recorded === undefined || recorded === networkHash(networkOf(project, key))) {
    return { kind: 'keep', id: network.id }
  }
  const own = new Set(
    snapshot.containers
      .filter(({ oneoff }) => !oneoff)
      .filter(({ service }) => ownEntry(project.services, service) || options.removeOrphans)
      .map(({ id }) => id),
  )
  if (network.containers.every((id) => own.has(id))) return { kind: 'replace', network }
  warnings.push(
    `network ${network.name} has changed, but is kept: containers outside the project use it`,
  )
  return { kind: 'keep', id: network.id }
}

/**
 * Adds the steps for networks. Those with a subnet come first: the Engine could give it to one of
 * the others, whose subnets it chooses. Containers in a network that is replaced are stopped and
 * disconnected, and keep their identity.
 */
export function planNetworks(planning: Planning, decisions: Record<string, NetworkDecision>): void {
  const { plan, project, networks } = planning
  const first: number[] = []
  for (const key of subnetsFirst(project, Object.keys(decisions))) {
    const decision = ownEntry(decisions, key)
    if (!decision || decision.kind === 'keep') continue
    const { name } = networkOf(project, key)
    const reason = decision.kind === 'create' ? 'no network' : 'network changed'
    const replaced = decision.kind === 'replace' ? [replaceNetwork(planning, decision.network)] : []
    const isFirst = hasSubnet(project, key)
    const after = isFirst ? replaced : [...replaced, ...first]
    const call = { action: 'create', kind: 'network', name } as const
    const body = compact(networkBody(project, key))
    const step = addStep(plan, { reason, after }, { ...call, body })
    if (isFirst) first.push(step)
    networks.set(key, step)
  }
}

const subnetsFirst = (project: Project, keys: readonly string[]): string[] => [
  ...keys.filter((key) => hasSubnet(project, key)),
  ...keys.filter((key) => !hasSubnet(project, key)),
]

const hasSubnet = (project: Project, key: string): boolean =>
  networkOf(project, key).ipam?.config?.some(({ subnet }) => subnet !== undefined) ?? false

function replaceNetwork(planning: Planning, network: ObservedNetwork): number {
  const { plan, snapshot, removals } = planning
  const reason = 'network changed'
  const after = [...removals.values()].flat()
  for (const container of snapshot.containers) {
    if (!Object.hasOwn(container.networks, network.name) || isRemoved(planning, container)) continue
    const stop = stopContainer(planning, container, reason, [])
    const about = { reason, service: container.service, after: [stop] }
    const call = { action: 'disconnect', kind: 'network', name: network.name } as const
    const step = addStep(plan, about, { ...call, container: container.name })
    moved(planning, container, step)
    after.push(step)
  }
  const call = { action: 'remove', kind: 'network', name: network.name, id: network.id } as const
  return addStep(plan, { reason, after }, call)
}

/**
 * Connects the remaining containers to the replaced networks again and plans a start for those that
 * ran.
 */
export function reconnect(planning: Planning, decisions: Record<string, NetworkDecision>): void {
  const { plan, project } = planning
  const reason = 'network changed'
  for (const [key, decision] of Object.entries(decisions)) {
    if (decision.kind !== 'replace') continue
    for (const { name: service, keep } of planning.decisions.values()) {
      if (!Object.hasOwn(serviceOf(project, service).networks ?? {}, key)) continue
      for (const container of keep) {
        const renamed = planning.renames.get(container.id)
        const name = renamed?.to ?? container.name
        const about = { reason, service, after: [planning.networks.get(key), renamed?.step] }
        const body = compact(endpoint(project, key, container))
        const call = { action: 'connect', kind: 'network', name: decision.network.name } as const
        const step = addStep(plan, about, { ...call, container: name, body })
        moved(planning, container, step)
        if (!isUp(container)) continue
        const { number } = container
        const after = [step]
        planning.starts.push({ service, number, name, reason, after, fresh: false, container })
      }
    }
  }
}

function moved({ moves }: Planning, { id }: ObservedContainer, step: number): void {
  moves.set(id, [...(moves.get(id) ?? []), step])
}

function isRemoved({ decisions }: Planning, { id, service }: ObservedContainer): boolean {
  const decision = decisions.get(service)
  return !decision || decision.remove.some(({ container }) => container.id === id)
}
