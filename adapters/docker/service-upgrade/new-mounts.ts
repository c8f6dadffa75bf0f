import { posix } from 'node:path'

/** A mount as the Engine shows it. */
export interface SeenMount {
  Type: string
  /** The name of a volume. */
  Name?: string
  Source: string
  Destination: string
  RW: boolean
  Propagation?: string
}

interface EngineMount extends Record<string, unknown> {
  Type?: string
  Source?: string
  Target?: string
}

/** The `HostConfig` of a container, as far as it has mounts. */
export interface AskedMounts {
  Binds?: string[] | null
  Mounts?: EngineMount[] | null
}

/**
 * Returns the mounts of a container in the form in which they were asked for. What was asked for
 * without a source, or came from an image or another container, is mounted by what it is: another
 * container gets the same volumes.
 */
export function missingMounts(
  { Binds, Mounts }: AskedMounts,
  seen: readonly SeenMount[],
): { Binds: string[]; Mounts: EngineMount[] } {
  const binds = (Binds ?? []).filter((bind) => bind.includes(':'))
  const named = (Mounts ?? []).filter(({ Type, Source }) => Type !== 'volume' || Boolean(Source))
  const covered = new Set([
    ...binds.map((bind) => normal(bind.split(':')[1] ?? '')),
    ...named.map(({ Target }) => normal(Target ?? '')),
  ])
  const others = seen.filter(
    ({ Type, Destination }) =>
      (Type === 'volume' || Type === 'bind') && !covered.has(normal(Destination)),
  )
  return { Binds: binds, Mounts: [...named, ...others.map(mountLike)] }
}

const normal = (path: string) => posix.normalize(path).replace(/(.)\/$/, '$1')

/** Returns a mount of the same volume or directory at the same place. */
export function mountLike({ Type, Name, Source, Destination, RW, Propagation }: SeenMount) {
  const mount = { Type, Target: Destination, ReadOnly: !RW }
  if (Type === 'volume') return { ...mount, Source: Name ?? '' }
  return { ...mount, Source, ...(Propagation ? { BindOptions: { Propagation } } : {}) }
}
