import { jobsEverySeconds, type RunJobsPorts, runJobs } from '../../core/stack-jobs/run-jobs.ts'
import { schedule } from '../../kit/schedule.ts'

export default schedule({
  summary: 'Runs the jobs of stacks that are due, and ends those whose process died',
  everySeconds: jobsEverySeconds,
  run: (ports: RunJobsPorts) => runJobs(ports),
})
