import { can } from '../../data/session.ts'
import { t } from '../../text/text.ts'

/** The pages of users and roles that the reader may see. */
export const userTabs = () => [
  { href: '/users', label: t.users.users },
  ...(can('roles:manage') ? [{ href: '/users/roles', label: t.users.roles }] : []),
]
