import type { BackupJob } from '../../data/backups.ts'
import { can } from '../../data/session.ts'
import type { Column } from '../../parts/columns.ts'
import { Link } from '../../parts/link.tsx'
import { None } from '../../parts/none.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { BlockedJob } from './blocked-job.tsx'
import { JobMenu } from './job-menu.tsx'
import { RunState } from './run-state.tsx'

interface JobTableProps {
  rows: readonly BackupJob[]
  onEdit: (job: BackupJob) => void
}

/**
 * Backup jobs, each with a menu for those who may change it, after those that are blocked. A row
 * leads to the job's runs.
 */
export function JobTable({ rows, onEdit }: JobTableProps) {
  return (
    <>
      {rows
        .filter(({ acts_as }) => acts_as.blocked !== null)
        .map((job) => (
          <BlockedJob key={job.id} job={job} />
        ))}
      <Table
        label={t.backups.jobs}
        columns={columnsOf()}
        rows={rows}
        rowKey={({ id }) => id}
        href={runsOf}
        {...(can('backups:manage') && {
          actions: (row: BackupJob) => <JobMenu job={row} onEdit={() => onEdit(row)} />,
        })}
      />
    </>
  )
}

const runsOf = ({ id }: BackupJob) => `/backups/runs?job=${id}`

const columnsOf = (): Column<BackupJob>[] => [
  {
    key: 'name',
    label: t.backups.job,
    sort: ({ name }) => name,
    cell: (job) => (
      <Link href={runsOf(job)} kind="strong">
        {job.name}
      </Link>
    ),
  },
  {
    key: 'last',
    label: t.backups.lastRun,
    width: '232px',
    sort: ({ last_run }) => last_run?.started_at ?? '',
    cell: ({ last_run: last }) =>
      last ? (
        <span title={last.error ?? undefined}>
          <RunState of={last.status} /> <Time at={last.started_at} />
        </span>
      ) : (
        <span class="quiet-text">{t.backups.noneYet}</span>
      ),
  },
  {
    key: 'account',
    label: t.backups.actsAs,
    width: '144px',
    isMinor: true,
    sort: ({ acts_as }) => acts_as.username ?? '',
    cell: ({ acts_as: { username, blocked } }) =>
      blocked === null ? (
        (username ?? (
          <span class="quiet-text" title={t.backups.unknownAuthorHelp}>
            {t.backups.unknownAuthor}
          </span>
        ))
      ) : (
        <span title={blocked}>
          <State of="failed" word={t.backups.blocked} />
        </span>
      ),
  },
  {
    key: 'sources',
    label: t.backups.sources,
    isMinor: true,
    cell: ({ sources }) =>
      sources.map(({ kind, name }) => (kind === 'system' ? t.backups.system : name)).join(', '),
  },
  {
    key: 'target',
    label: t.backups.target,
    width: '112px',
    isMinor: true,
    cell: ({ target }) => t.backups.targets[target.kind],
  },
  {
    key: 'next',
    label: t.backups.next,
    width: '128px',
    align: 'end',
    isMinor: true,
    cell: ({ acts_as, next_run_at, enabled, schedule }) =>
      acts_as.blocked !== null ? (
        <None />
      ) : next_run_at ? (
        <Time at={next_run_at} mayBeAhead />
      ) : (
        <span class="quiet-text">{schedule && !enabled ? t.backups.off : t.backups.onRequest}</span>
      ),
  },
]
