import type { Alert } from '../../data/alerts.ts'
import { Link } from '../../parts/link.tsx'
import { pageOf } from './condition.ts'

/** What an alert is about, and its host. */
export const SubjectCell = ({ of }: { of: Alert['subject'] }) => (
  <>
    <Link href={pageOf(of)} kind="strong">
      {of.name}
    </Link>
    {of.kind !== 'host' && <span class="quiet-text"> · {of.host_name}</span>}
  </>
)
