import type { components } from '../../data/api.types.ts'
import { Detail } from '../../frame/detail.tsx'
import { exactTime } from '../../parts/format-time.ts'
import { Facts } from '../../parts/panel.tsx'
import { t } from '../../text/text.ts'
import { Outcome } from './outcome.tsx'
import { actorOf, outcomeOf, whatOf } from './row-texts.ts'
import { nameOf, type SubjectNames } from './subject-names.ts'

interface AuditDetailProps {
  row: components['schemas']['AuditRow']
  names: SubjectNames
  /** The rows of the list. */
  all: readonly components['schemas']['AuditRow'][]
  onClose: () => void
}

/** One row of the audit log, with everything that it says. */
export function AuditDetail({ row, names, all, onClose }: AuditDetailProps) {
  const { subject, credential, ip, user_agent, request_id, hosts, values, fields, status } = row
  const given = Object.entries(values)
  const hidden = fields.filter((field) => !Object.hasOwn(values, field))
  return (
    <Detail
      title={whatOf(row, names)}
      state={<Outcome of={outcomeOf(row, all)} />}
      onClose={onClose}
    >
      <Facts
        of={[
          [t.audit.time, exactTime(new Date(row.time))],
          [t.audit.who, actorOf(row, names)],
          [t.audit.api, <code key="action">{row.action}</code>],
          subject !== null && [t.audit.subject, `${nameOf(subject, names)} (${subject.kind})`],
          subject !== null && [t.audit.subjectId, <code key="subject">{subject.id}</code>],
          status !== null && [t.audit.status, status],
          row.count > 1 && [t.audit.count, row.count],
          credential !== null && [t.audit.credential, t.audit.credentials[credential.kind]],
          ip !== null && [t.audit.ip, ip],
          user_agent !== null && [t.audit.client, user_agent],
          hosts.length > 0 && [
            t.frame.hosts,
            hosts.map((id) => nameOf({ kind: 'hosts', id, name: null }, names)).join(', '),
          ],
          request_id !== null && [t.parts.requestId, <code key="id">{request_id}</code>],
          [t.audit.sequence, row.sequence],
        ]}
      />
      {given.length > 0 && (
        <section>
          <h3>{t.audit.values}</h3>
          <Facts of={given.map(([name, value]) => [name, String(value)] as const)} />
        </section>
      )}
      {hidden.length > 0 && (
        <section>
          <h3>{t.audit.hidden}</h3>
          <p class="quiet-text">{hidden.join(', ')}</p>
        </section>
      )}
    </Detail>
  )
}
