import { can, hasEveryHost } from '../../data/session.ts'
import { t } from '../../text/text.ts'

/**
 * The pages of settings. The policies and variables of all stacks need an account that no hosts
 * limit. Undefined for a reader who may only upgrade the service: one page needs no tabs.
 */
export const settingsTabs = () =>
  can('settings:manage')
    ? [
        { href: '/settings', label: t.settings.service },
        { href: '/settings/sign-in', label: t.settings.signIn },
        { href: '/settings/keys', label: t.settings.keys },
        ...(hasEveryHost()
          ? [{ href: '/settings/update-policies', label: t.inheritedPolicies.policies }]
          : []),
        ...(can('variables:manage') && hasEveryHost()
          ? [{ href: '/settings/variables', label: t.variables.tab }]
          : []),
      ]
    : undefined
