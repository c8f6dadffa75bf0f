import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { Failure } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { wasEverDeployed } from '../records/stack.ts'
import { ownerOf } from './check-references.ts'
import type { VolumeOwner } from './judge-volume.ts'

export type VolumeOwnerPorts = Needs<'owners' | 'stacks'>

/** A volume of a host, which need not exist, and whose it is. */
export interface FoundVolume {
  owner: VolumeOwner
  exists: boolean
}

/** Returns whose volumes of a host are, by name. */
export async function findVolumeOwners(
  names: readonly string[],
  hostId: string,
  engine: Pick<Engine, 'resolve' | 'installation'>,
  ports: VolumeOwnerPorts,
): Promise<Map<string, FoundVolume>> {
  if (names.length === 0) return new Map()
  const installation = await engine.installation()
  const { volumes } = await engine.resolve({ networks: [], images: [], volumes: [...names] })
  const found = names.map(async (name) => {
    const exists = Object.hasOwn(volumes, name)
    const labels = exists ? ownEntry(volumes, name)?.labels : undefined
    const owner: VolumeOwner = installation.volumes.has(name)
      ? { kind: 'installation' }
      : await stackOrForeign(name, hostId, labels, ports)
    return [name, { owner, exists }] as const
  })
  return new Map(await Promise.all(found))
}

async function stackOrForeign(
  name: string,
  hostId: string,
  labels: Readonly<Record<string, string>> | undefined,
  ports: VolumeOwnerPorts,
): Promise<VolumeOwner> {
  const thing = { hostId, kind: 'volume' as const, name }
  const stack = await ownerOf(thing, labels, undefined, ports)
  if (stack === undefined) return { kind: 'foreign' }
  // Others created it after the stack's own volume was removed.
  if (labels && labels[label.project] !== stack) return { kind: 'foreign' }
  const isRecorded = (await ports.owners.find(thing))?.stack === stack
  return isRecorded || (await mayHaveMade(stack, ports))
    ? { kind: 'stack', stack }
    : { kind: 'foreign' }
}

/**
 * Returns whether a stack may have created a volume that has its label and no record. A stack that
 * never ran created nothing, whatever labels say.
 */
async function mayHaveMade(stack: string, { stacks }: Needs<'stacks'>): Promise<boolean> {
  try {
    const found = await stacks.find(stack)
    return found !== undefined && wasEverDeployed(found)
  } catch (error) {
    // A 403 means that the stack exists outside the caller's scope.
    if (error instanceof Failure && error.status === 403) return true
    throw error
  }
}
