import type { NewAuditRow } from '../records/audit-row.ts'
import { type HeldBackImage, heldBackMax } from '../records/held-back-image.ts'
import type { OpenUpdate, StackUpdate } from '../records/stack-update.ts'
import { changeStack } from '../stacks/stack-record.ts'
import type { ApplyPorts } from './update-ports.ts'
import { withReport } from './write-reports.ts'

/** How an update went. */
export interface Judgement extends Pick<StackUpdate, 'outcome' | 'reason'> {
  /** The service that was bad; null if that is not known. */
  service: string | null
  /** Whether its images are to be held back. */
  isHeldBack: boolean
}

/** What else is recorded of an update that was judged. */
export interface Findings {
  held: readonly HeldBackImage[]
  report: NewAuditRow | undefined
}

/** Records how an update went, unless someone else ended it meanwhile. */
export async function recordOutcome(
  stack: string,
  { deploymentId }: OpenUpdate,
  { outcome, reason }: Judgement,
  { held, report }: Findings,
  ports: ApplyPorts,
): Promise<void> {
  const update: StackUpdate = { deploymentId, outcome, reason, at: ports.clock.now() }
  const rollback = { state: 'due' as const, attempts: 0, nextAt: 0, error: null }
  await changeStack(
    stack,
    ({ openUpdate, update: known, heldBack = [], unreported }) => {
      if (openUpdate?.deploymentId !== deploymentId) return {}
      // Someone undoes it meanwhile.
      if (known?.deploymentId === deploymentId) return {}
      const isBad = outcome === 'bad'
      return {
        update: isBad ? { ...update, rollback } : update,
        ...(!isBad && { openUpdate: undefined }),
        ...withReport({ unreported }, report),
        ...(held.length > 0 && { heldBack: withHeld(heldBack, held) }),
      }
    },
    ports,
  )
}

/** Images of which the log is kept: a record of a stack has a bounded size. */
const logsMax = 5

export function withHeld(before: readonly HeldBackImage[], held: readonly HeldBackImage[]) {
  const isAgain = (one: HeldBackImage) => held.some(({ digest }) => digest === one.digest)
  const all = [...held, ...before.filter((one) => !isAgain(one))].slice(0, heldBackMax)
  return all.map((one, index) => (index < logsMax ? one : { ...one, log: [] }))
}
