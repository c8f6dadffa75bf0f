import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { checkPins } from '../../compose/plan/compare/pinned.ts'
import { checkRetags } from '../../compose/plan/fetch/retags.ts'
import { leftOutParents } from '../../compose/plan/up/select-services.ts'
import { cacheFor } from '../cache-for.ts'
import { checkReferences, useName } from '../owners/check-references.ts'
import { refuseControlledVolumes } from '../owners/controlled-volumes.ts'
import { enterJoined } from '../owners/enter-joined.ts'
import type { NameUser } from '../owners/taken-names.ts'
import type { DeployFacts } from './observe-deploy.ts'
import type { PreparedDeployment } from './prepared.ts'
import { refuseReservedNames } from './refuse-reserved-names.ts'
import { mountedVolumes } from './refuse-shared-mounts.ts'
import { refuseTakeover } from './refuse-takeover.ts'
import type { PreparePorts } from './request.ts'
import { referenceUser } from './resource-users.ts'
import { usedNames } from './used-names.ts'

/** What a deploy uses on its host, which it may use. */
export interface DeployUses extends Pick<PreparedDeployment, 'checkOwners'> {
  /** What the last deploy used. Several checks ask for it, some for each name, and few need it. */
  used: NameUser['usedNames']
  /** Containers of services that the deploy leaves out and that new containers join. */
  joined: readonly { id: string; name: string }[]
}

/**
 * Checks that a deploy may use what its project refers to on the host.
 *
 * @throws 403 or 409 for names that the stack may not use or take, 403 for containers that it may
 *   not join, 409 for a pinned image, or one to rename, that is gone
 */
export async function checkDeployUses(
  facts: DeployFacts,
  ports: PreparePorts,
): Promise<DeployUses> {
  const { request, engine, loaded, whole, project, snapshot, onHost } = facts
  const { stack, options } = request
  checkPins(project, options.images ?? {}, onHost)
  checkRetags(project, options.retag, onHost)
  await refuseTakeover(request, snapshot.containers, engine, ports)
  const read = () => usedNames(stack, ports)
  const used = cacheFor(read, Number.POSITIVE_INFINITY, ports.clock.monotonic).get
  await refuseReservedNames(request, whole, used, engine, ports)
  const checkOwners = () =>
    checkReferences(referenceUser(request, used), loaded.references, onHost, ports)
  await checkOwners()
  const others = await newForeignVolumes(facts, used)
  await refuseControlledVolumes(others, request.reach, { hostId: stack.hostId, engine }, ports)
  const parents = leftOutParents(project, snapshot).flatMap(({ keep }) => keep)
  const joined = parents.map(({ id }) => id)
  await enterJoined(joined, request, engine, ports)
  return { used, joined: parents, checkOwners }
}

/** Returns the volumes of others that the project mounts and the last deploy did not. */
async function newForeignVolumes(
  { request: { stack, reach }, project, onHost: { volumes } }: DeployFacts,
  usedNames: NameUser['usedNames'],
): Promise<string[]> {
  if (reach === 'host') return []
  const foreign = mountedVolumes(project).filter((name) => {
    const found = ownEntry(volumes, name)
    return found !== undefined && found.labels[label.project] !== stack.id
  })
  if (foreign.length === 0) return []
  const used = await usedNames()
  return foreign.filter((name) => !used.has(useName({ kind: 'volume', name })))
}
