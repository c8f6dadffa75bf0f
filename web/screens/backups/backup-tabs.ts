import { t } from '../../text/text.ts'

/** The pages of backups. */
export const backupTabs = () => [
  { href: '/backups', label: t.backups.jobs },
  { href: '/backups/runs', label: t.backups.runs },
]
