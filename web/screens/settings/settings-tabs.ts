import { t } from '../../text/text.ts'

/** The pages of settings. */
export const settingsTabs = () => [
  { href: '/settings', label: t.settings.service },
  { href: '/settings/sign-in', label: t.settings.signIn },
  { href: '/settings/keys', label: t.settings.keys },
]
