import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import { go } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { t } from '../../text/text.ts'
import { JobTable } from '../backups/job-table.tsx'

/** The backup jobs that a stack is in. */
export function StackBackups({ name }: { name: string }) {
  const jobs = useResource('/backup-jobs')
  return (
    <Loaded of={jobs} what={t.backups.jobs} failed={t.backups.failed}>
      {(all) => {
        const rows = all.filter(({ sources }) =>
          sources.some((source) => source.kind === 'stack' && source.name === name),
        )
        if (rows.length === 0) return <NoBackups name={name} />
        return <JobTable rows={rows} onEdit={({ id }) => go(`/backups?edit=${id}`)} />
      }}
    </Loaded>
  )
}

const NoBackups = ({ name }: { name: string }) => (
  <Empty
    title={t.backups.noneOf(name)}
    action={
      can('backups:manage') && <LinkButton href="/backups?edit=new">{t.backups.add}</LinkButton>
    }
  >
    {t.backups.emptyNext}
  </Empty>
)
