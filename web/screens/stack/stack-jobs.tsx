import { useSignal } from '@preact/signals'
import { Plus } from 'lucide'
import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import { can } from '../../data/session.ts'
import { changeStackJob, type StackJob, useJobs } from '../../data/stack-jobs.ts'
import { useAct } from '../../data/use-act.ts'
import { lazy } from '../../frame/lazy.ts'
import { BlockedWork } from '../../parts/blocked-work.tsx'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { None } from '../../parts/none.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { RunState } from '../backups/run-state.tsx'
import { StackJobMenu } from './stack-job-menu.tsx'

const StackJobForm = lazy(() => import('./stack-job-form.tsx'))
const StackJobRuns = lazy(() => import('./stack-job-runs.tsx'))

/** What is open: the runs of a job, its form, or that of a new one. */
type Open = { what: 'runs' | 'edit'; job: StackJob } | { what: 'new' }

/** The jobs of a stack: when each runs next, and how it ended last. Nothing without jobs. */
export default function StackJobs({ stack }: { stack: string }) {
  const { value, problem } = useJobs(stack)
  const open = useSignal<Open | undefined>(undefined)
  const rows = value.value ?? []
  const set = (next: Open | undefined) => () => {
    open.value = next
  }
  if (problem.value && value.value === undefined) {
    return <Problem title={t.jobs.failed} {...problem.value} />
  }
  if (rows.length === 0) return null
  return (
    <Panel
      title={t.jobs.title}
      isFlush
      actions={
        can('containers:exec') && (
          <Button icon={Plus} onClick={set({ what: 'new' })}>
            {t.jobs.add}
          </Button>
        )
      }
    >
      {rows
        .filter(({ acts_as }) => acts_as.blocked !== null)
        .map((job) => (
          <BlockedJob key={job.job} job={job} />
        ))}
      <Table
        label={t.jobs.title}
        orderIn="jobs"
        columns={columnsOf()}
        rows={rows}
        rowKey={({ job }) => job}
        actions={(job) => (
          <StackJobMenu
            job={job}
            onRuns={set({ what: 'runs', job })}
            onEdit={set({ what: 'edit', job })}
          />
        )}
      />
      {open.value && (
        <Loading>
          {open.value.what === 'runs' ? (
            <StackJobRuns job={open.value.job} onClose={set(undefined)} />
          ) : (
            <StackJobForm
              stack={{ name: stack }}
              job={open.value.what === 'edit' ? open.value.job : undefined}
              onClose={set(undefined)}
            />
          )}
        </Loading>
      )}
    </Panel>
  )
}

/** Why a job does not run, and how to change that for those who may try. */
function BlockedJob({ job }: { job: StackJob }) {
  const { job: name, service, acts_as: actsAs } = job
  const takeOver = useAct(changeStackJob, {
    ended: () => t.jobs.takenOver(name),
    failed: t.jobs.notTakenOver(name),
  })
  return (
    <BlockedWork
      title={t.jobs.isBlocked(name)}
      error={actsAs.blocked ?? ''}
      help={t.jobs.takeOverHelp}
      action={
        can('containers:exec') && {
          label: t.jobs.takeOver(name),
          busy: takeOver.pending.value && t.jobs.takingOver,
          run: () => void takeOver.run(job, { service }),
        }
      }
    />
  )
}

const columnsOf = (): Column<StackJob>[] => [
  { key: 'job', label: t.jobs.job, sort: ({ job }) => job, cell: ({ job }) => <b>{job}</b> },
  {
    key: 'service',
    label: t.jobs.service,
    isMinor: true,
    sort: ({ service }) => service,
    cell: ({ service }) => service,
  },
  {
    key: 'last',
    label: t.jobs.last,
    width: '232px',
    sort: ({ last_run }) => last_run?.started_at ?? '',
    cell: (job) => <LastRun of={job} />,
  },
  {
    key: 'account',
    label: t.jobs.actsAs,
    width: '144px',
    isMinor: true,
    cell: ({ acts_as: { username, blocked } }) =>
      blocked === null ? username : <State of="failed" word={t.jobs.blocked} />,
  },
  {
    key: 'next',
    label: t.jobs.next,
    width: '128px',
    align: 'end',
    isMinor: true,
    cell: ({ acts_as, next_run_at: next, enabled, schedule }) => {
      if (acts_as.blocked !== null) return <None />
      if (next) return <Time at={next} mayBeAhead />
      const word = schedule && !enabled ? t.jobs.off : t.jobs.onRequest
      return <span class="quiet-text">{word}</span>
    },
  },
]

/** How the last run ended. A time that was skipped since is said instead. */
function LastRun({ of: { last_run: last, last_skipped: skipped } }: { of: StackJob }) {
  if (skipped && (!last || skipped.at > last.started_at)) {
    return (
      <span title={skipped.reason}>
        <State of="attention" word={t.jobs.skipped} /> <Time at={skipped.at} />
      </span>
    )
  }
  if (!last) return <span class="quiet-text">{t.jobs.noneYet}</span>
  return (
    <span title={last.error ?? undefined}>
      <RunState of={last.status} /> <Time at={last.started_at} />
    </span>
  )
}
