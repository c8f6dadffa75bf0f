import { allows } from '../core/access/grant.ts'
import type { FileSection } from '../core/estate/plan-estate.ts'
import type { Caller } from '../core/records/account.ts'
import type { Permission } from '../core/records/permissions.ts'

interface Reading {
  permission: Permission
  /** The list is for callers that are not limited to some hosts. */
  everyHost?: true
}

/** What the list of each section needs, as its own endpoint does. */
const readings: Readonly<Record<FileSection, Reading>> = {
  registries: { permission: 'registries:manage' },
  roles: { permission: 'roles:manage' },
  channels: { permission: 'alerts:read' },
  sources: { permission: 'registries:manage', everyHost: true },
  stacks: { permission: 'stacks:read' },
  backup_jobs: { permission: 'backups:read' },
  update_policies: { permission: 'settings:manage', everyHost: true },
  alert_rules: { permission: 'alerts:read' },
}

/** Returns why a caller may not see a section, or undefined if the caller may. */
export function whyUnseen(section: FileSection, caller: Caller): string | undefined {
  const { permission, everyHost } = readings[section]
  if (!allows(caller, permission)) return `you lack the permission ${permission}`
  if (everyHost && caller.scopeTags.length > 0) return 'your credential is limited to some hosts'
  return undefined
}
