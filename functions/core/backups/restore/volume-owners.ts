import type { Caller } from '../../access/account.ts'
import { forbidden } from '../../errors.ts'
import { claimAll } from '../../owners/check-references.ts'
import type { Needs } from '../../ports.ts'
import { deploysStacks, reachOf } from '../../stacks/reach.ts'
import type { RestoreItem, RestorePlan } from './plan.ts'

/** The stack that a restored volume belongs to then; undefined for one that is restored alone. */
function stackOf({ object }: RestoreItem, { stacks }: RestorePlan): string | undefined {
  return stacks.find(({ saved }) => saved.name === object.stack)?.name
}

/**
 * Checks that a restore writes into no volume of another stack. A backup says itself what it is of,
 * and whoever can write to its target can make it say so.
 *
 * @throws 403 unless the caller may read and deploy the volume's owner, or has stacks:privileged
 */
export async function checkVolumeOwners(
  plan: RestorePlan,
  caller: Caller,
  ports: Needs<'owners' | 'stacks'>,
): Promise<void> {
  if (reachOf(caller) === 'host') return
  const mayDeploy = deploysStacks(caller, ports)
  for (const item of plan.items) {
    const { place } = item
    if (place.kind !== 'volume') continue
    const owner = await ports.owners.find({ hostId: plan.hostId, kind: 'volume', name: place.name })
    if (!owner || owner.stack === stackOf(item, plan) || (await mayDeploy(owner.stack))) continue
    throw forbidden(
      `volume ${place.name}: it belongs to another stack: restoring it needs the permissions to ` +
        'read and deploy that stack, or stacks:privileged',
    )
  }
}

/**
 * Records the restored volumes of a stack as its own. Throws a `Failure` 409 for one of another
 * stack.
 */
export async function claimRestored(
  plan: RestorePlan,
  stack: string,
  ports: Needs<'owners' | 'clock'>,
): Promise<void> {
  const names = plan.items.flatMap((item) =>
    item.place.kind === 'volume' && stackOf(item, plan) === stack ? [item.place.name] : [],
  )
  const things = names.map((name) => ({ hostId: plan.hostId, kind: 'volume' as const, name }))
  await claimAll(things, stack, ports)
}
