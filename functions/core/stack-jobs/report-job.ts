import { serviceRow } from '../audit/row.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { JobRun, StackJob } from '../records/stack-job.ts'

type ReportPorts = Needs<'audit' | 'clock' | 'random'>
type Reported = Pick<StackJob, 'actsAs' | 'name' | 'stack'>
type Place = Pick<StackRecord, 'hostId'> | undefined

/** Writes how a run ended, and with the rights of which account it ran. */
export function reportEnd(
  { name, stack, actsAs }: Reported,
  { id, status, exitCode, error }: JobRun,
  place: Place,
  { audit, clock, random }: ReportPorts,
): Promise<void> {
  const row = serviceRow({
    id: random.id(),
    at: clock.now(),
    action: 'stacks.jobs.end',
    outcome: status === 'succeeded' ? 'succeeded' : 'failed',
    subject: { kind: 'stacks', id: stack },
    hosts: place ? [place.hostId] : [],
    values: {
      job: name,
      run_id: id,
      status,
      ...(exitCode !== null && { exit_code: String(exitCode) }),
      ...(error !== null && { reason: error }),
    },
    userId: actsAs.accountId,
    username: actsAs.username,
  })
  return audit.append(row)
}

/** Writes that the account of a job may not run it, or again may. */
export function reportBlocked(
  { name, stack }: Reported,
  blocked: string | null,
  { hostId }: Pick<StackRecord, 'hostId'>,
  { audit, clock, random }: ReportPorts,
): Promise<void> {
  const row = serviceRow({
    id: random.id(),
    at: clock.now(),
    action: blocked === null ? 'stacks.jobs.unblock' : 'stacks.jobs.block',
    outcome: 'succeeded',
    subject: { kind: 'stacks', id: stack },
    hosts: [hostId],
    values: { job: name, ...(blocked !== null && { reason: blocked }) },
  })
  return audit.append(row)
}
