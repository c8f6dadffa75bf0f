import type { components } from '../../data/api.types.ts'
import { t } from '../../text/text.ts'

type AuditRow = components['schemas']['AuditRow']

/** Returns who did it. */
export const actorOf = ({ actor, username }: AuditRow): string =>
  username ?? (actor === 'service' ? t.audit.service : t.audit.nobody)
