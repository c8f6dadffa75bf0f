import { conflict } from '../errors.ts'
import { LostLease } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import {
  type EstateApply,
  type EstateApplyStep,
  type EstateRecord,
  type EstateThing,
  estatesMax,
  type StepState,
} from '../records/estate.ts'
import { withoutThing, withThing } from './plan-prune.ts'

/** How a step ended, and what that means for the things of the estate. */
export interface StepEnd {
  state: StepState
  problems: readonly string[]
  /** The step made the thing, or took it. Milliseconds since the epoch. */
  createdAt?: number
  /** The step deleted the thing. */
  isGone?: true
}

/** Writes down how an apply goes, so that its end is known also after the process was killed. */
export interface ApplyJournal {
  /** Records the end of the step at this place. If it did nothing, it is written with the next. */
  note(at: number, end: StepEnd): Promise<void>
  finish(): Promise<void>
}

/**
 * Records that an apply begins. Call it, and the journal, under the lease of the estate.
 *
 * @param things what the estate has, as far as it is still there
 * @throws 409 if there are too many estates
 */
export async function startJournal(
  { id, things, last }: EstateRecord,
  ports: Needs<'clock' | 'estates'>,
): Promise<ApplyJournal> {
  let record = await writeFirst({ id, things, last }, ports)
  const save = async () => {
    const saved = await ports.estates.replace(record)
    // Only another holder of the lease writes it.
    if (!saved) throw new LostLease()
    record = saved
  }
  return {
    async note(at, end) {
      const step = record.last.steps[at]
      if (!step) throw new Error(`the apply ${last.id} has no step ${at}`)
      const steps = record.last.steps.with(at, endedStep(step, end))
      const next = thingsAfter(record, step, end, ports.clock.now())
      record = { ...record, things: next, last: { ...record.last, steps } }
      if (end.state === 'done' || end.state === 'failed') await save()
    },
    async finish() {
      record = { ...record, last: { ...record.last, finishedAt: ports.clock.now() } }
      await save()
    },
  }
}

async function writeFirst(
  record: EstateRecord,
  { estates }: Needs<'estates'>,
): Promise<Stored<EstateRecord>> {
  const before = await estates.find(record.id)
  if (before) {
    const saved = await estates.replace({ ...record, revision: before.revision })
    if (saved) return saved
    throw new LostLease()
  }
  if ((await estates.list()).length >= estatesMax) {
    throw conflict(
      `name: the limit of ${estatesMax} estates is reached: give the file the name of one that was applied before`,
      { reason: 'limit' },
    )
  }
  const isCreated = await estates.create(record)
  const created = isCreated ? await estates.find(record.id) : undefined
  if (!created) throw new LostLease()
  return created
}

function thingsAfter(
  { things, last }: EstateRecord,
  { section, name }: EstateApplyStep,
  { createdAt, isGone }: StepEnd,
  at: number,
): EstateThing[] {
  if (isGone) return withoutThing(things, { section, name })
  if (createdAt === undefined) return things
  return withThing(things, { section, name, createdAt, at, by: last.by })
}

/** A record must stay far below the largest item of the store. */
const problemMax = 300

const endedStep = (
  { section, name, action }: EstateApplyStep,
  { state, problems }: StepEnd,
): EstateApplyStep => ({
  section,
  name,
  action,
  state,
  problems: problems.slice(0, 3).map((text) => text.slice(0, problemMax)),
})

/** Returns the steps of an apply. Those that its process left when it was killed are skipped. */
export const stepsAsEnded = ({ steps }: Pick<EstateApply, 'steps'>): EstateApplyStep[] =>
  steps.map((step) => (step.state === 'waiting' ? endedStep(step, skipped) : step))

const skipped: StepEnd = { state: 'skipped', problems: [] }
