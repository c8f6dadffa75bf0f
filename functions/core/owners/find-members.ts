import { label } from '../../compose/create/labels.ts'
import { installationLabel } from '../../compose/policy/reserved-labels.ts'
import type {
  Installation,
  ListedContainer,
  MemberKind,
  ServiceProcess,
} from '../records/installation.ts'
import {
  type EngineFacts,
  type InstallationRecords,
  isProcessOf,
  isSocket,
  type ReportedAgent,
} from './engine-facts.ts'
import { findStores } from './find-stores.ts'
import {
  agentDirectories,
  directoriesOf,
  namesOf,
  networksOf,
  networksOfProjects,
} from './member-things.ts'

/**
 * Returns what belongs to the installation on one Engine. Members are found by what the kernel told
 * their programs and by the address of the store. A label adds others, but no container of a stack.
 */
export async function findMembers(
  facts: EngineFacts,
  records: InstallationRecords,
): Promise<Installation> {
  const members = new Map<string, MemberKind>()
  const stacks = stacksOn(facts.hostId, records)
  const add = (ids: Iterable<string>, kind: MemberKind) => {
    for (const id of ids) if (!members.has(id)) members.set(id, kind)
  }
  const exists = new Set(facts.containers.map(({ id }) => id))
  const known = (ids: readonly (string | undefined)[]) =>
    ids.filter((id) => id !== undefined && exists.has(id)) as string[]
  add(known(records.processes.map(({ container }) => container)), 'service')
  add(known(records.agents.map(({ container }) => container)), 'agent')
  add(unknownServices(facts, records.processes), 'service')
  add(await unknownAgents(facts, records.agents), 'agent')
  add(await findStores(facts, records.processes), 'store')
  add(
    facts.containers.filter(({ isHelper }) => isHelper).map(({ id }) => id),
    'helper',
  )
  add(labelled(facts, stacks), 'labelled')
  return withThings(members, facts, records)
}

const stacksOn = (hostId: string, { stacks }: InstallationRecords): ReadonlySet<string> =>
  new Set(stacks.filter((stack) => stack.hostId === hostId).map(({ id }) => id))

/**
 * A process in a container that it cannot find: until it can, each container that has what the
 * process has counts as the one.
 */
const unknownServices = (facts: EngineFacts, processes: readonly ServiceProcess[]): string[] =>
  processes
    .filter((one) => one.container === 'unknown' && isProcessOf(facts, one))
    .flatMap(({ dataDirectory }) =>
      holders(facts, ({ destination }) => destination === dataDirectory || isSocket(destination)),
    )

/**
 * An agent of an earlier version in a container is found by what its start command sets, or by the
 * host name that it reports. One that knows to be in a container but not in which counts as each
 * that has the Engine's socket.
 */
async function unknownAgents(
  facts: EngineFacts,
  agents: readonly ReportedAgent[],
): Promise<string[]> {
  const agent = agents.find(({ hostId }) => hostId === facts.hostId)
  if (agent?.container === 'unknown')
    return holders(facts, ({ destination }) => isAgents(destination))
  if (!agent || agent.container !== undefined) return []
  const { hostname } = agent
  const sockets = new Set(holders(facts, ({ destination }) => isAgents(destination)))
  const found: string[] = []
  for (const { id, isHelper } of facts.containers) {
    if (isHelper) continue
    if (/^[0-9a-f]{12}$/.test(hostname) && id.startsWith(hostname)) found.push(id)
    else if (sockets.has(id)) {
      const inspected = await facts.inspect(id)
      const isAgent =
        inspected?.hostname === hostname || inspected?.variables.includes('AGENT_SERVER')
      if (isAgent) found.push(id)
    }
  }
  return found
}

const isAgents = (destination: string) =>
  isSocket(destination) || agentDirectories.includes(destination)

const holders = (
  { containers }: EngineFacts,
  has: (mount: ListedContainer['mounts'][number]) => boolean,
) => containers.filter(({ isHelper, mounts }) => !isHelper && mounts.some(has)).map(({ id }) => id)

/**
 * An operator chooses the labels of an image that a stack builds, so those of stacks do not count.
 */
function labelled({ containers }: EngineFacts, stacks: ReadonlySet<string>): string[] {
  const found: string[] = []
  for (const { id, labels } of containers) {
    if (!Object.hasOwn(labels, installationLabel)) continue
    const project = labels[label.project]
    if (project === undefined || !stacks.has(project)) found.push(id)
  }
  return found
}

async function withThings(
  containers: ReadonlyMap<string, MemberKind>,
  facts: EngineFacts,
  records: InstallationRecords,
): Promise<Installation> {
  const { processes } = records
  const stacks = stacksOn(facts.hostId, records)
  const all = facts.containers.filter(({ id }) => containers.has(id))
  // Helpers mount what belongs to stacks, for as long as a backup runs.
  const members = all.filter(({ isHelper }) => !isHelper)
  const isOf = (...kinds: MemberKind[]) =>
    members.filter(({ id }) => kinds.includes(containers.get(id) ?? 'helper'))
  const projects = new Set(
    isOf('service', 'store').flatMap(({ labels }) => labels[label.project] ?? []),
  )
  const storeNetworks = networksOf(isOf('store'))
  const networks = new Set([...storeNetworks, ...networksOfProjects(projects, facts)])
  const joined = await namesOf(members, networks, facts, processes)
  const volumes = members.flatMap(({ mounts }) =>
    mounts.filter(({ type }) => type === 'volume').map(({ name }) => name),
  )
  return {
    containers,
    volumes: new Set(volumes),
    networks,
    storeNetworks,
    joined,
    images: new Set(all.map(({ imageId }) => imageId)),
    directories: directoriesOf(
      { programs: isOf('service', 'agent'), stores: isOf('store') },
      facts,
      processes,
    ),
    projects,
    stacks,
  }
}
