import { type StackJob, type StackJobRun, useJobRuns } from '../../data/stack-jobs.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { RunState } from '../backups/run-state.tsx'

/** The runs of a job, the newest first, each with the end of its log. */
export default function StackJobRuns({ job, onClose }: { job: StackJob; onClose: () => void }) {
  const runs = useJobRuns(job)
  return (
    <Dialog
      title={t.jobs.runsOf(job.job)}
      size="large"
      actions={<Button onClick={onClose}>{t.parts.close}</Button>}
      onClose={onClose}
    >
      <Loaded
        of={runs}
        what={t.jobs.runs}
        failed={t.jobs.failedRuns}
        empty={<p class="quiet-text">{t.jobs.noneYet}</p>}
      >
        {(all) => all.map((run) => <Run key={run.id} of={run} />)}
      </Loaded>
    </Dialog>
  )
}

function Run({ of: run }: { of: StackJobRun }) {
  const { status, started_at: startedAt, by, error, log, log_cut: isCut } = run
  return (
    <section class="last-change" aria-label={t.jobs.run}>
      <p class="last-change-head">
        <RunState of={status} />
        <Time at={startedAt} />
        <span class="quiet-text">{by === 'schedule' ? t.jobs.bySchedule : t.stack.byUser(by)}</span>
      </p>
      {error !== null && <p class="stack-error">{error}</p>}
      {isCut && <p class="quiet-text">{t.jobs.cut}</p>}
      {log ? (
        <pre class="job-log">{log}</pre>
      ) : (
        status !== 'running' && <p class="quiet-text">{t.jobs.noLog}</p>
      )}
    </section>
  )
}
