import { bindEarlierJobs } from '../core/backups/jobs/bind-earlier-jobs.ts'
import { type ReviewPorts, reviewJobs } from '../core/backups/jobs/review-jobs.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Blocks backup jobs whose account may no longer do what they do',
  everySeconds: 60,
  async run(ports: ReviewPorts) {
    await bindEarlierJobs(await ports.backupJobs.list(), ports)
    await reviewJobs(ports)
  },
})
