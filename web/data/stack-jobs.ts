import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

export type StackJob = components['schemas']['StackJob']
export type StackJobRun = components['schemas']['StackJobRunDetails']
/** What is saved of a job. */
export type StackJobBody = components['schemas']['CreateStackJobBody']

/** Milliseconds. That a scheduled run begins is no event. */
const pace = 10_000
const [jobsPath, runsPath] = ['/stacks/{name}/jobs', '/stacks/{name}/jobs/{job}/runs'] as const

const at = ({ stack, job }: Pick<StackJob, 'stack' | 'job'>) => ({
  params: { path: { name: stack, job } },
})

/** Reads the jobs of a stack. */
export const useJobs = (name: string) => usePolled('/stacks/{name}/jobs', { name }, pace)

/** Reads the runs of a job with the ends of their logs. */
export const useJobRuns = ({ stack, job }: Pick<StackJob, 'stack' | 'job'>) =>
  usePolled('/stacks/{name}/jobs/{job}/runs', { name: stack, job }, pace)

export async function createStackJob(name: string, body: StackJobBody): Promise<StackJob> {
  const made = await unwrap(api.POST('/stacks/{name}/jobs', { params: { path: { name } }, body }))
  refresh(jobsPath)
  return made
}

/** Saves what is given of a job. The rest stays. */
export async function changeStackJob(
  job: Pick<StackJob, 'stack' | 'job'>,
  { job: _, ...body }: Partial<StackJobBody>,
): Promise<StackJob> {
  const saved = await unwrap(api.PUT('/stacks/{name}/jobs/{job}', { ...at(job), body }))
  refresh(jobsPath)
  return saved
}

export async function removeStackJob(job: Pick<StackJob, 'stack' | 'job'>): Promise<void> {
  await unwrap(api.DELETE('/stacks/{name}/jobs/{job}', at(job)))
  refresh(jobsPath)
}

/** Begins a run of a job. */
export async function runStackJob(job: Pick<StackJob, 'stack' | 'job'>): Promise<void> {
  await unwrap(api.POST('/stacks/{name}/jobs/{job}/run', at(job)))
  refresh(jobsPath, runsPath)
}
