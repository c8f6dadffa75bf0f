import { serviceRow } from '../audit/row.ts'
import type { PruneResult } from '../images/remove-unused.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { OwnAction } from '../records/audit-actions.ts'
import type { Host } from '../records/host.ts'

type ReportPorts = Needs<'audit' | 'clock' | 'random'>
type Reported = Pick<Host, 'id' | 'name'>

/** Images that a row names. */
const namedMax = 20

/** Writes which images a run removed, with the rights of an account. */
export function reportPruned(
  host: Reported,
  { images, reclaimed }: PruneResult,
  account: Account,
  ports: ReportPorts,
): Promise<void> {
  const names = images
    .slice(0, namedMax)
    .map(({ tags, digests, id }) => tags[0] ?? digests[0] ?? id)
  const more = images.length > namedMax ? `, and ${images.length - namedMax} more` : ''
  const values = {
    removed: String(images.length),
    reclaimed_bytes: String(reclaimed),
    images: `${names.join(', ')}${more}`,
  }
  const by = { userId: account.id, username: account.username }
  return write('images.prune.run', host, { outcome: 'succeeded', values, ...by }, ports)
}

/** Writes that a run failed. */
export const reportPruneFailed = (
  host: Reported,
  reason: string,
  ports: ReportPorts,
): Promise<void> =>
  write('images.prune.run', host, { outcome: 'failed', values: { reason } }, ports)

/** Writes that the policy of a host may remove nothing, or again may. */
export function reportPruneBlocked(
  host: Reported,
  blocked: string | null,
  ports: ReportPorts,
): Promise<void> {
  const action = blocked === null ? 'images.prune.unblock' : 'images.prune.block'
  const values: Record<string, string> = blocked === null ? {} : { reason: blocked }
  return write(action, host, { outcome: 'succeeded', values }, ports)
}

async function write(
  action: OwnAction,
  { id, name }: Reported,
  about: Pick<Parameters<typeof serviceRow>[0], 'outcome' | 'userId' | 'username' | 'values'>,
  { audit, clock, random }: ReportPorts,
): Promise<void> {
  const subject = { kind: 'hosts' as const, id, name }
  const row = { id: random.id(), at: clock.now(), action, subject, hosts: [id] }
  await audit.append(serviceRow({ ...row, ...about }))
}
