import { ownEntry } from '../../compose/lookup.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { findOwner } from './find-owner.ts'
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
  const found = await findOwner({ hostId, kind: 'volume', name }, labels, ports)
  if (!found) return { kind: 'foreign' }
  const { stack, how } = found
  return { kind: 'stack', stack, ...(how === 'left' ? { isLeft: true } : {}) }
}
