import type { HostId } from '../host-ids.ts'

/** A volume as the sizes name it. */
export interface VolumeRef {
  name: string
  host_id: HostId
}

/** Returns the bytes of a volume: null if nothing can tell, undefined before they arrive. */
export type SizeOf = (volume: VolumeRef) => number | null | undefined

/** How much data several volumes hold. */
export interface Total {
  bytes: number
  /** How many of them are not in it. */
  unknown: number
}

/** Returns how much data volumes hold together. */
export function totalOf(volumes: readonly VolumeRef[], sizeOf: SizeOf): Total {
  const sizes = volumes.map(sizeOf)
  const known = sizes.filter((size) => typeof size === 'number')
  return { bytes: known.reduce((sum, size) => sum + size, 0), unknown: sizes.length - known.length }
}
