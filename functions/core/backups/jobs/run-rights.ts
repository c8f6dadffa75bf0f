import { forbidden } from '../../errors.ts'
import type { Caller } from '../../records/account.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import type { BackupSource } from '../../records/backup-source.ts'
import type { OperationReaders } from '../../records/operation.ts'
import type { Permission } from '../../records/permissions.ts'

type Kind = BackupSource['kind']
type RunSources = Pick<BackupRun, 'id' | 'kinds' | 'contents'>
type JobSources = Pick<BackupJob, 'name' | 'sources'>

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
export function kindsOf({ kinds, contents }: RunSources): readonly Kind[] {
  if (kinds) return kinds
  const found = contents.map(({ kind, stack }) => (stack === null ? kind : 'stack'))
  return found.length > 0 ? found : ['system']
}

/**
 * Returns whether the caller may read all sources of a run. A run is visible as a whole: without
 * some of its contents it would look like a backup that lacks them.
 */
export const maySeeRun = (run: RunSources, caller: Caller): boolean => mayRead(kindsOf(run), caller)

/** Returns whether the caller may read all sources of a job: it tells of its newest run. */
export const maySeeJob = (job: JobSources, caller: Caller): boolean => mayRead(kindsIn(job), caller)

/** Returns the rights that a caller needs to read what was found in a run. */
export const readersOfRun = (run: RunSources): OperationReaders => ({
  permissions: [
    ...new Set<Permission>(['backups:manage', ...kindsOf(run).map((kind) => reading[kind])]),
  ],
  everyHost: kindsOf(run).includes('system'),
})

/**
 * Checks that the caller may see a run.
 *
 * @throws 403 with the permissions that it needs
 */
export const requireRun = (run: RunSources, caller: Caller): void =>
  requireReading(kindsOf(run), `backup run ${run.id}`, caller)

/**
 * Checks that the caller may see a job.
 *
 * @throws 403 with the permissions that it needs
 */
export const requireVisibleJob = (job: JobSources, caller: Caller): void =>
  requireReading(kindsIn(job), `backup job ${job.name}`, caller)

const kindsIn = ({ sources }: JobSources) => sources.map(({ kind }) => kind)

function mayRead(kinds: readonly Kind[], { permissions, scopeTags }: Caller): boolean {
  return kinds.every((kind) => {
    const isInScope = kind !== 'system' || scopeTags.length === 0
    return isInScope && permissions.has(reading[kind])
  })
}

function requireReading(kinds: readonly Kind[], subject: string, caller: Caller): void {
  if (mayRead(kinds, caller)) return
  const needed = kinds.map((kind) =>
    kind === 'system' ? `${reading[kind]} on every host` : reading[kind],
  )
  throw forbidden(`${subject}: its sources need ${[...new Set(needed)].join(' and ')}`)
}
