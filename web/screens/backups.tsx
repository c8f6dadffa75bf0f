import { Plus } from 'lucide'
import { useResource } from '../data/cache.ts'
import { can } from '../data/session.ts'
import { useOverlay } from '../frame/address.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { usePageAction } from '../frame/page-action.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { t } from '../text/text.ts'
import { backupTabs } from './backups/backup-tabs.ts'
import { JobForm } from './backups/job-form.tsx'
import { JobTable } from './backups/job-table.tsx'

/** The backup jobs: what they back up, when, and how the last run ended. */
export default function Backups() {
  const jobs = useResource('/backup-jobs')
  const [open, setOpen] = useOverlay('edit')
  const mayManage = can('backups:manage')
  const add = () => setOpen('new')
  usePageAction(mayManage && { label: t.backups.add, icon: Plus, keys: 'n', run: add })
  const job = jobs.value.value?.find(({ id }) => id === open)
  return (
    <Page
      title={t.frame.backups}
      tabs={backupTabs()}
      actions={
        mayManage && (
          <Button kind="primary" icon={Plus} onClick={add}>
            {t.backups.add}
          </Button>
        )
      }
    >
      <Loaded of={jobs} what={t.backups.jobs} failed={t.backups.failed}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.backups.empty}>{t.backups.emptyNext}</Empty>
          ) : (
            <JobTable rows={rows} onEdit={({ id }) => setOpen(id)} />
          )
        }
      </Loaded>
      {mayManage && (open === 'new' || job) && (
        <JobForm key={open} job={job} onClose={() => setOpen('')} />
      )}
    </Page>
  )
}
