import { lastEndedRun, type StackJob } from '../records/stack-job.ts'

/** The most jobs that the text names. */
const namedMax = 5

/**
 * Returns a sentence about the jobs of a stack whose last run failed or was interrupted, or that
 * are blocked; undefined if there are none. A run in progress does not count yet.
 */
export function failedJobs(jobs: readonly StackJob[]): string | undefined {
  const failing = jobs.flatMap((job) => {
    const why = whyFailing(job)
    return why === undefined ? [] : [`job ${job.name}: ${why}`]
  })
  if (failing.length === 0) return undefined
  const more = failing.length > namedMax ? [`and ${failing.length - namedMax} more jobs`] : []
  return [...failing.slice(0, namedMax), ...more].join('; ')
}

function whyFailing(job: StackJob): string | undefined {
  if (job.actsAs.blocked !== null) return job.actsAs.blocked
  const last = lastEndedRun(job)
  if (!last || last.status === 'succeeded') return undefined
  return last.error ?? `its last run ${last.status}`
}
