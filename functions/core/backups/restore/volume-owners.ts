import { ownEntry } from '../../../compose/lookup.ts'
import type { PlacedReference } from '../../../compose/references.ts'
import type { Resolved } from '../../../compose/snapshot.ts'
import { deploysStacks, reachOf } from '../../access/reach.ts'
import { usedNames } from '../../deploy/used-names.ts'
import { refusedByPolicy } from '../../errors.ts'
import {
  checkReferences,
  type ReferencePorts,
  type ReferenceUser,
} from '../../owners/check-references.ts'
import { type ClaimingStack, claimAll } from '../../owners/claim-owner.ts'
import { findOwner } from '../../owners/find-owner.ts'
import { judgeVolume, mayUseOwner, type VolumeOwner } from '../../owners/judge-volume.ts'
import { isReserved, reservedText } from '../../owners/reserved-names.ts'
import { findVolumeOwners } from '../../owners/volume-owner.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import type { OwnedName } from '../../records/owner.ts'
import type { LoadPorts } from '../../stacks/load-project.ts'
import { requireVolumes } from '../jobs/approve-volumes.ts'
import { refusalOf } from '../jobs/job-volumes.ts'
import { volumesAmong } from '../jobs/run-volumes.ts'
import type { RestoreItem, RestorePlan, Restorer, StackToRestore } from './restore-plan.ts'

/**
 * Returns the stack that a restored volume will belong to; undefined for one that is restored
 * alone.
 */
const stackOf = (
  { object }: RestoreItem,
  { stacks }: Pick<RestorePlan, 'stacks'>,
): StackToRestore | undefined => stacks.find(({ saved }) => saved.name === object.stack)

/**
 * Checks that the caller may use every volume that a restore writes into, and marks those that will
 * belong to the restored stack. A backup describes its own content, and anyone with write access to
 * its target can change that description. Volumes of a stack therefore need the rights to deploy
 * that stack, other volumes those of their owner. A volume that does not exist is free, except
 * under a name of the service.
 *
 * @throws 403 or 409 with the name of the volume
 */
export async function checkVolumeOwners(
  plan: RestorePlan,
  caller: Restorer,
  engine: Engine,
  ports: RestoringPorts,
): Promise<void> {
  const volumes = plan.items.flatMap((item) =>
    item.place.kind === 'volume' ? [{ item, name: item.place.name }] : [],
  )
  if (volumes.length === 0) return
  const names = volumes.map(({ name }) => name)
  const onHost = await engine.resolve({ networks: [], images: [], volumes: names })
  const found = await findVolumeOwners(names, plan.hostId, engine, ports)
  for (const { item, name } of volumes) {
    const stack = stackOf(item, plan)
    const { owner, exists } = found.get(name) ?? { owner: foreign, exists: false }
    const isFree = owner.kind === 'foreign' && !exists
    if (isFree && !stack && reachOf(caller) !== 'host' && isReserved(name)) {
      throw refusedByPolicy(reservedText(`volume ${name}`))
    }
    if (owner.kind === 'installation' || !(stack || isFree)) {
      await checkTarget(name, owner, caller, ports)
    }
    if (stack) await checkStackVolume(item, { name, stack, plan, onHost }, caller, ports)
  }
}

/**
 * Checks that the caller may read the volumes of a backup that a restore writes, by their owners at
 * the backup: the restore can give them another name, host and owner.
 *
 * @throws 403 with the name of the volume in the backup
 */
export async function checkVolumeSources(
  { items }: RestorePlan,
  run: BackupRun,
  caller: Restorer,
  ports: Needs<'settings' | 'stacks'>,
): Promise<void> {
  const objects = items.map(({ object }) => object)
  await requireVolumes(volumesAmong(objects, run), 'restore', caller, ports)
}

const foreign: VolumeOwner = { kind: 'foreign' }

/** @throws 403 if the caller may not replace the data of a volume, 409 if no account may */
async function checkTarget(
  name: string,
  owner: VolumeOwner,
  caller: Restorer,
  ports: Needs<'settings' | 'stacks'>,
): Promise<void> {
  const verdict = judgeVolume(name, 'restore', {
    owner,
    reach: reachOf(caller),
    mayUseOwner: await mayUseOwner(owner, deploysStacks(caller, ports)),
    isHeld: false,
    isShared: (await ports.settings.get())['stacks.shared_volumes'].includes(name),
  })
  const refusal = refusalOf(verdict)
  if (refusal) throw refusal
}

interface StackVolume {
  name: string
  stack: StackToRestore
  plan: RestorePlan
  onHost: Resolved
}

/** Checks a volume of a restored stack as a deploy does, and marks whether it is its own. */
async function checkStackVolume(
  item: RestoreItem,
  { name, stack, plan, onHost }: StackVolume,
  caller: Restorer,
  ports: RestoringPorts,
): Promise<void> {
  const thing = { hostId: plan.hostId, kind: 'volume' as const, name }
  const using = { stack: stack.name, record: stack.existing }
  const owner = await findOwner(thing, ownEntry(onHost.volumes, name)?.labels, ports, using)
  const user = restoringUser(stack, plan, caller, ports)
  const reference = referenceTo(name, stack)
  await checkReferences(user, [reference], onHost, ports)
  const isOwn = owner === undefined || owner.stack === stack.name
  item.isOwn = reference.declared !== 'external' && isOwn
}

export type RestoringPorts = ReferencePorts & LoadPorts & Needs<'deployments'>

/** Returns a restored stack as a user of volumes and networks, with the rights of the caller. */
export const restoringUser = (
  { name, existing }: StackToRestore,
  { hostId }: Pick<RestorePlan, 'hostId'>,
  caller: Restorer,
  ports: RestoringPorts,
): ReferenceUser => ({
  stack: name,
  record: existing,
  hostId,
  reach: reachOf(caller),
  mayDeploy: deploysStacks(caller, ports),
  accountId: caller.account.id,
  usedNames: existing && (() => usedNames(existing, ports)),
})

/**
 * Returns how a restored stack declares a volume. A volume that it does not declare counts as
 * external.
 */
function referenceTo(name: string, stack: StackToRestore): PlacedReference {
  const { volumes } = stack.project
  const key = Object.keys(volumes).find((one) => ownEntry(volumes, one)?.name === name) ?? null
  const isMade = key !== null && !ownEntry(volumes, key)?.external
  const declared = !isMade ? 'external' : name === `${stack.name}_${key}` ? 'own' : 'named'
  const path = ['volumes', ...(key === null ? [] : [key])]
  return { kind: 'volume', name, key, declared, path, place: `stack ${stack.name}: ` }
}

/** Returns the volumes of a restore that will belong to a stack. */
export function ownVolumes({ items, ...plan }: RestorePlan, stack: string): OwnedName[] {
  const own = items.filter((item) => item.isOwn && stackOf(item, plan)?.name === stack)
  const names = own.flatMap(({ place }) => (place.kind === 'volume' ? [place.name] : []))
  return names.map((name) => ({ hostId: plan.hostId, kind: 'volume', name }))
}

/**
 * Records the restored volumes of a stack as its own.
 *
 * @throws 409 for a volume of another stack
 */
export const claimRestored = (
  plan: RestorePlan,
  stack: ClaimingStack,
  ports: Needs<'owners' | 'clock'>,
): Promise<void> => claimAll(ownVolumes(plan, stack.id), stack, ports)
