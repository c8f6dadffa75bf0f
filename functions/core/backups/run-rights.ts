import { forbidden } from '../errors.ts'
import type { Caller } from '../records/account.ts'
import type { BackupRun } from '../records/backup-run.ts'
import type { BackupSource } from '../records/backup-source.ts'
import type { Permission } from '../records/permissions.ts'

type Kind = BackupSource['kind']
type RunSources = Pick<BackupRun, 'id' | 'kinds' | 'contents'>

/** The permission to read a source of this kind. */
const reading = {
  stack: 'stacks:read',
  volume: 'volumes:read',
  system: 'settings:manage',
} as const satisfies Record<Kind, Permission>

/**
 * Returns the kinds of sources of a run. Restores and runs of earlier versions have no record of
 * them, only what they contain. A run without either may be one of the service's own state.
 */
function kindsOf({ kinds, contents }: RunSources): readonly Kind[] {
  if (kinds) return kinds
  const found = contents.map(({ kind, stack }) => (stack === null ? kind : 'stack'))
  return found.length > 0 ? found : ['system']
}

/**
 * Returns whether the caller may read all sources of a run. A run is visible as a whole: without
 * some of its contents it would look like a backup that lacks them.
 */
export function maySeeRun(run: RunSources, { permissions, scopeTags }: Caller): boolean {
  return kindsOf(run).every((kind) => {
    const isInScope = kind !== 'system' || scopeTags.length === 0
    return isInScope && permissions.has(reading[kind])
  })
}

/**
 * Checks that the caller may see a run.
 *
 * @throws 403 with the permissions that it needs
 */
export function requireRun(run: RunSources, caller: Caller): void {
  if (maySeeRun(run, caller)) return
  const needed = kindsOf(run).map((kind) =>
    kind === 'system' ? `${reading[kind]} on every host` : reading[kind],
  )
  const all = [...new Set(needed)].join(' and ')
  throw forbidden(`backup run ${run.id}: its sources need ${all}`)
}
