import { t } from '../../text/text.ts'

/** The pages of alerts. */
export const alertTabs = () => [
  { href: '/alerts', label: t.alerts.now },
  { href: '/alerts/rules', label: t.alerts.rules },
  { href: '/alerts/history', label: t.alerts.history },
  { href: '/alerts/channels', label: t.alerts.channels },
]
