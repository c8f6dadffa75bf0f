import type { Project } from '../../compose/project.ts'
import type { PlacedReference } from '../../compose/references.ts'
import { Failure, isTransient } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import { judgeReferences, type ReferencePorts } from '../owners/check-references.ts'
import { reachedBy } from '../owners/container-degree.ts'
import { declaredAccess, declaredVolumes } from '../owners/declared-access.ts'
import type { Needs } from '../ports/ports.ts'
import type { Host } from '../records/host.ts'
import type { StackRecord } from '../records/stack.ts'
import { deployedFiles } from '../stacks/deployed-files.ts'
import { type LoadedFiles, type LoadPorts, loadFiles } from '../stacks/load-project.ts'
import type { Uses } from './uses.ts'

export type StackUsesPorts = LoadPorts &
  ReferencePorts &
  Needs<'deployments' | 'hosts' | 'log' | 'stacks'>

/**
 * Adds what the deployed versions of all stacks use that belongs to no stack, and what their
 * containers have access to. It reads compose files, so that a host that is offline loses nothing.
 */
export async function addStackUses(uses: Uses, ports: StackUsesPorts): Promise<void> {
  const hosts = new Map((await ports.hosts.list()).map((host) => [host.id, host]))
  for (const stack of await ports.stacks.list()) {
    const host = hosts.get(stack.hostId)
    const loaded = host && (await loadDeployed(stack, ports))
    if (!loaded) continue
    for (const { kind, name } of await unownedThings(stack, loaded.references, ports)) {
      uses[kind === 'volume' ? 'stacks.shared_volumes' : 'stacks.shared_networks'].add(name)
    }
    for (const name of enteredThings(stack, host, loaded.project)) {
      uses['stacks.enterable_binds'].add(name)
    }
  }
}

/** Returns undefined for a stack that was never deployed, or whose files no longer load. */
async function loadDeployed(
  stack: StackRecord,
  ports: StackUsesPorts,
): Promise<LoadedFiles | undefined> {
  const { id, environment, profiles, written, deployedAt, adopted } = stack
  if (written === null || (deployedAt === null && !adopted)) return undefined
  try {
    const files = await deployedFiles(stack, ports)
    return await loadFiles(stack, files, { environment, profiles, reach: 'host' }, ports)
  } catch (error) {
    if (isTransient(error) || !(error instanceof Failure)) throw error
    ports.log.warn('the settings do not list what a stack uses: its files do not load', {
      stack: id,
    })
    return undefined
  }
}

/**
 * Returns the volumes and networks that a stack uses and that now need a right, whichever other
 * stacks its callers may deploy. On a host that does not respond it is unknown who made a network.
 */
async function unownedThings(
  stack: StackRecord,
  references: readonly PlacedReference[],
  ports: StackUsesPorts,
): Promise<PlacedReference[]> {
  if (references.length === 0) return []
  const { id, hostId } = stack
  const user = {
    stack: id,
    hostId,
    reach: 'stack' as const,
    record: stack,
    mayDeploy: async () => true,
  }
  const named = (kind: PlacedReference['kind']) =>
    references.filter((one) => one.kind === kind).map(({ name }) => name)
  const names = { volumes: named('volume'), networks: named('network'), images: [] }
  const resolved = await ports.engines
    .on(hostId)
    .then((engine) => engine.resolve(names))
    .catch(ignoreFailure('ask a host what its stacks use'))
  if (!resolved) {
    const owners = await Promise.all(
      references.map(({ kind, name }) => ports.owners.find({ hostId, kind, name })),
    )
    return references.filter(({ declared }, index) => declared === 'external' && !owners[index])
  }
  const judged = await judgeReferences(user, references, resolved, ports)
  return judged.flatMap(({ reference, verdict }) =>
    typeof verdict === 'object' && verdict.status === 403 ? [reference] : [],
  )
}

/** Returns how `stacks.enterable_binds` lists what the containers of a stack have access to. */
function enteredThings({ directory }: StackRecord, { stacksDirectory }: Host, project: Project) {
  const volumes = declaredVolumes(project)
  const place = { stacksDirectory, ownDirectory: directory, controlPaths: [], volumes }
  return Object.keys(project.services).flatMap((service) => {
    const reached = reachedBy(declaredAccess(project, service), place)
    const isHost = reached.some(({ degree }) => degree === 'host')
    return isHost ? [] : reached.map(({ name }) => name)
  })
}
