import type { BackupRun, RestoreBody } from '../../data/backups.ts'
import type { HostId } from '../../host-ids.ts'

/** A stack or a volume of a backup that can be restored alone. */
export interface Restorable {
  kind: 'stack' | 'volume'
  name: string
  /** The volumes that belong to a stack. */
  volumes: readonly string[]
}

/** What a restore does to one thing: it makes it, or replaces the one that is there. */
export interface Effect {
  kind: 'stack' | 'volume'
  name: string
  /** The volumes whose data is replaced. */
  replaces: readonly string[]
  isReplaced: boolean
}

/** Returns what can be restored of a backup: stacks with their volumes, and single volumes. */
export function restorables(contents: BackupRun['contents']): Restorable[] {
  const stacks = contents.filter(({ kind }) => kind === 'stack')
  const volumes = contents.filter(({ kind }) => kind === 'volume')
  return [
    ...stacks.map(({ source }) => ({
      kind: 'stack' as const,
      name: source,
      volumes: volumes.filter(({ stack }) => stack === source).map((volume) => volume.source),
    })),
    ...volumes
      .filter(({ stack }) => !stacks.some(({ source }) => source === stack))
      .map(({ source }) => ({ kind: 'volume' as const, name: source, volumes: [] })),
  ]
}

/** What exists now, on the host of the restore. */
export interface Present {
  stacks: readonly string[]
  volumes: readonly string[]
}

/**
 * Returns what a restore does to each thing that is chosen.
 *
 * @param rename the new name of the one stack. Its volumes get the new name too, except those with
 *   a name of their own.
 */
export function effectsOf(
  chosen: readonly Restorable[],
  rename: string,
  { stacks, volumes }: Present,
): Effect[] {
  return chosen.map((one) => {
    const name = one.kind === 'stack' && rename ? rename : one.name
    const own = one.kind === 'volume' ? [name] : one.volumes.map(renamed(one.name, name))
    const replaces = own.filter((volume) => volumes.includes(volume))
    const isReplaced = replaces.length > 0 || (one.kind === 'stack' && stacks.includes(name))
    return { kind: one.kind, name, replaces, isReplaced }
  })
}

/** Compose names a volume after its stack, unless the file has a name for it. */
const renamed = (from: string, to: string) => (volume: string) =>
  volume.startsWith(`${from}_`) ? `${to}${volume.slice(from.length)}` : volume

/** Returns the body of the request. */
export function restoreBody(
  chosen: readonly Restorable[],
  { host, rename, overwrite }: { host: HostId; rename: string; overwrite: boolean },
): RestoreBody {
  return {
    sources: chosen.map(({ kind, name }) => ({ kind, name })),
    host,
    ...(rename && { stack_name: rename }),
    ...(overwrite && { overwrite }),
  }
}
