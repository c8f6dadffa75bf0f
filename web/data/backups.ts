import { useEffect } from 'preact/hooks'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { useResource } from './cache.ts'
import { resultOf } from './operations.ts'
import { refresh } from './refresh.ts'

export type BackupJob = components['schemas']['BackupJob']
export type BackupRun = components['schemas']['BackupRun']
type BackupVerdict = components['schemas']['BackupVerdict']
type Operation = components['schemas']['Operation']
type WholeBody = components['schemas']['CreateBackupJobBody']
/** The fields of a job. Those that are left out get their default, or stay. */
export type JobBody = Pick<WholeBody, 'name' | 'sources' | 'target'> & Partial<WholeBody>
export type TargetBody = components['schemas']['BackupTargetBody']
export type RestoreBody = components['schemas']['RestoreBody']

const byId = (id: string) => ({ params: { path: { id } } })

export async function saveJob(id: string | undefined, body: JobBody): Promise<BackupJob> {
  const saved = await unwrap(
    id === undefined
      ? api.POST('/backup-jobs', { body: body as WholeBody })
      : api.PUT('/backup-jobs/{id}', { ...byId(id), body }),
  )
  refresh('/backup-jobs')
  return saved
}

export async function enableJob(id: string, enabled: boolean): Promise<void> {
  await unwrap(api.PUT('/backup-jobs/{id}', { ...byId(id), body: { enabled } }))
  refresh('/backup-jobs')
}

/** Saves what a job does as it is, so that it acts as the user from then on. */
export async function takeOverJob({
  id,
  sources,
}: Pick<BackupJob, 'id' | 'sources'>): Promise<void> {
  await unwrap(api.PUT('/backup-jobs/{id}', { ...byId(id), body: { sources } }))
  refresh('/backup-jobs')
}

export async function removeJob(id: string): Promise<void> {
  await unwrap(api.DELETE('/backup-jobs/{id}', byId(id)))
  refresh('/backup-jobs')
}

export async function runJob(id: string): Promise<BackupRun> {
  const run = await unwrap(api.POST('/backup-jobs/{id}/run', byId(id)))
  refresh('/backup-jobs', '/backup-runs')
  return run
}

/** Reads a whole backup and checks it. Returns what is wrong with it. */
export async function verifyRun(id: string): Promise<BackupVerdict> {
  const params = { path: { id }, query: { wait: false } }
  const started = await unwrap(api.POST('/backup-runs/{id}/verify', { params }))
  return (await resultOf(started as Operation)) as unknown as BackupVerdict
}

/** Deletes a backup from its target and its run from the list. */
export async function removeRun(id: string): Promise<void> {
  await unwrap(api.DELETE('/backup-runs/{id}', byId(id)))
  refresh('/backup-runs')
}

/** Begins to restore a backup. Returns the run of it. */
export async function restoreRun(id: string, body: RestoreBody): Promise<BackupRun> {
  const run = await unwrap(api.POST('/backup-runs/{id}/restore', { ...byId(id), body }))
  refresh('/backup-runs', '/stacks', '/volumes')
  return run
}

/** Reads the runs, of one job if it is given. Their progress is current while one runs. */
export function useRuns(job: string) {
  const runs = useResource('/backup-runs', job ? { job_id: job } : {})
  const isRunning = runs.value.value?.some(({ status }) => status === 'running') ?? false
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => void runs.reload(), 2000)
    return () => clearInterval(timer)
  }, [runs, isRunning])
  return runs
}
