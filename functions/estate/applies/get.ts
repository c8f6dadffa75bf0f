import type { z } from 'zod'
import { instant, instantOrNull } from '../../core/access/fields.ts'
import { allows } from '../../core/access/grant.ts'
import { notFound } from '../../core/errors.ts'
import { stepsAsEnded } from '../../core/estate/apply-journal.ts'
import { isApplying } from '../../core/estate/estate-lease.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Caller } from '../../core/records/account.ts'
import type { EstateRecord } from '../../core/records/estate.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { EstateApply, EstatePath } from './schema.ts'

export default endpoint({
  summary: 'Show how the newest apply of a file went',
  description:
    'Has each of its steps, also while it runs, and after the service was killed. You see your own; with `audit:read` on every host, those of others too. ' +
    'An apply that could do nothing is not recorded.',
  access: 'signed-in',
  path: EstatePath,
  returns: EstateApply,
  errors: { 404: 'No apply of a file with this name is known, or it is of another user' },

  async run({ path, caller }, ports: Needs<'estates' | 'leases'>) {
    const record = await ports.estates.find(path.name)
    if (!record || !mayRead(record, caller)) {
      throw notFound(`estate ${path.name}: no apply of a file with this name is known`)
    }
    return viewOf(record, await isApplying(record, ports))
  },
})

function mayRead({ last }: EstateRecord, caller: Caller): boolean {
  if (last.accountId === caller.account.id) return true
  return allows(caller, 'audit:read') && caller.scopeTags.length === 0
}

function viewOf({ id, last }: EstateRecord, isRunning: boolean): z.input<typeof EstateApply> {
  const ended = last.finishedAt === null ? 'interrupted' : 'ended'
  return {
    name: id,
    by: last.by,
    prune: last.prune,
    status: isRunning ? 'running' : ended,
    started_at: instant(last.startedAt),
    finished_at: instantOrNull(last.finishedAt),
    steps: isRunning ? last.steps : stepsAsEnded(last),
  }
}
