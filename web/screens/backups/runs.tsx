import { type BackupRun, useRuns } from '../../data/backups.ts'
import { useResource } from '../../data/cache.ts'
import { useOverlay, useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { useSelectHref } from '../../frame/select-href.ts'
import { Bytes } from '../../parts/bytes.tsx'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { lengthOf } from '../../parts/format-time.ts'
import { Link } from '../../parts/link.tsx'
import { isPhone } from '../../parts/phone.ts'
import { Select } from '../../parts/select.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { backupTabs } from './backup-tabs.ts'
import { RestoreWizard } from './restore-wizard.tsx'
import { RunDetail } from './run-detail.tsx'
import { RunState } from './run-state.tsx'

/** The runs of backups and restores, newest first. */
export default function BackupRuns() {
  const [job, setJob] = useQuery('job')
  const [selected, select] = useOverlay('run', isPhone.value)
  const [isRestoring, setRestoring] = useOverlay('restore')
  const runs = useRuns(job)
  const run = runs.value.value?.find(({ id }) => id === selected)
  return (
    <Page
      title={t.frame.backups}
      tabs={backupTabs()}
      toolbar={<JobChoice job={job} onChange={setJob} />}
    >
      <Loaded of={runs} what={t.backups.runs} failed={t.backups.failedRuns}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.backups.noRuns}>{t.backups.noRunsNext}</Empty>
          ) : (
            <RunTable rows={rows} selected={selected} />
          )
        }
      </Loaded>
      {run && (
        <RunDetail
          key={run.id}
          run={run}
          onRestore={() => setRestoring('1')}
          onClose={() => select('')}
        />
      )}
      {run && isRestoring && <RestoreWizard run={run} onClose={() => setRestoring('')} />}
    </Page>
  )
}

function JobChoice({ job, onChange }: { job: string; onChange: (job: string) => void }) {
  const { value } = useResource('/backup-jobs')
  const jobs = value.value ?? []
  return (
    <Select
      label={t.backups.job}
      isBare
      value={job}
      onChange={onChange}
      options={[
        { value: '', label: t.backups.allJobs },
        ...jobs.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

function RunTable({ rows, selected }: { rows: readonly BackupRun[]; selected: string }) {
  const hrefOf = useSelectHref('run')
  const href = ({ id }: BackupRun) => hrefOf(id)
  return (
    <Table
      label={t.backups.runs}
      columns={columnsOf(href)}
      rows={rows}
      rowKey={({ id }) => id}
      href={href}
      selected={selected}
    />
  )
}

const columnsOf = (href: (run: BackupRun) => string): Column<BackupRun>[] => [
  {
    key: 'started',
    label: t.backups.run,
    sort: ({ started_at }) => started_at,
    cell: (run) => (
      <Link href={href(run)} kind="strong">
        {t.backups.runKinds[run.kind]} {run.job_name}, <Time at={run.started_at} />
      </Link>
    ),
  },
  {
    key: 'state',
    label: t.hosts.state,
    width: '136px',
    sort: ({ status }) => status,
    cell: ({ status, warnings }) => <RunState of={status} warnings={warnings} />,
  },
  {
    key: 'took',
    label: t.backups.took,
    width: '88px',
    align: 'end',
    isMinor: true,
    cell: ({ started_at, finished_at }) =>
      finished_at ? lengthOf(Date.parse(finished_at) - Date.parse(started_at)) : undefined,
  },
  {
    key: 'size',
    label: t.images.size,
    width: '96px',
    align: 'end',
    isMinor: true,
    sort: ({ size }) => size,
    cell: ({ size }) => <Bytes of={size} />,
  },
  {
    key: 'by',
    label: t.backups.by,
    width: '128px',
    isMinor: true,
    cell: ({ by }) => (by === 'schedule' ? t.backups.bySchedule : by),
  },
]
