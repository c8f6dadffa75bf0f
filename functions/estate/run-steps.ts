import type { z } from 'zod'
import { Failure } from '../core/errors.ts'
import { type StepEnd, startJournal } from '../core/estate/apply-journal.ts'
import { keyOf } from '../core/estate/plan-estate.ts'
import { withoutGone } from '../core/estate/plan-prune.ts'
import { logFailure } from '../core/log-failure.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { EstateRecord } from '../core/records/estate.ts'
import { isOfOperation } from '../kit/wait.ts'
import { type DeletePorts, deleteThing } from './delete-thing.ts'
import { doersOf, type StepPorts } from './do-steps.ts'
import { type FoundThing, findThing } from './found-things.ts'
import type { JudgePorts } from './judge-steps.ts'
import type { JudgedStep } from './judged-step.ts'
import type { JudgedEstate } from './plan-for.ts'
import type { AppliedEstate } from './plan-schema.ts'
import { problemText } from './problem-text.ts'
import type { EstateForm } from './schema.ts'
import type { Send } from './send-request.ts'
import { takeableThings } from './takeable-things.ts'

type Applied = z.input<typeof AppliedEstate>['steps'][number]

export interface Run {
  /** The ID of this apply. */
  id: string
  estate: EstateForm
  secrets: Record<string, string>
  prune: boolean
  planned: JudgedEstate
  caller: Caller
  send: Send<StepPorts & DeletePorts>
  /** The steps after it was aborted are skipped. */
  ending: AbortSignal
}

type RunPorts = JudgePorts & StepPorts & DeletePorts & Needs<'clock' | 'estates' | 'log'>

/**
 * Does the steps of a plan, one after the other, and records how each ended. Call it under the
 * lease of the estate.
 *
 * A bug fails its step and ends the apply: the response still says what was done before it.
 *
 * @throws LostLease, and what the store throws when the end of a step is recorded
 */
export async function runSteps(run: Run, ports: RunPorts): Promise<Applied[]> {
  const { steps } = run.planned
  const act = await actorOf(run, ports)
  const journal = await startJournal(recordOf(run, ports), ports)
  const applied: Applied[] = []
  let isBroken = false
  for (const [at, step] of steps.entries()) {
    const end = run.ending.aborted || isBroken ? skipped : await act(step)
    isBroken ||= end === broken
    applied.push(shown(step, end))
    await journal.note(at, end)
  }
  await journal.finish()
  return applied
}

/** Returns the record of the estate as this apply begins it. */
function recordOf(
  { id, estate, prune, planned, caller }: Run,
  { clock }: Needs<'clock'>,
): EstateRecord {
  const { record, found, undeclared, isSeen } = planned
  const things = withoutGone(record?.things ?? [], found, isSeen)
  const shared = new Set(prune ? undeclared.shared.map(keyOf) : [])
  const { id: accountId, username } = caller.account
  return {
    id: estate.name,
    // Only the other estate has these from now on, so that one of the two can prune them.
    things: things.filter((one) => !shared.has(keyOf(one))),
    last: {
      id,
      accountId,
      by: username,
      prune,
      startedAt: clock.now(),
      finishedAt: null,
      steps: planned.steps.map(({ section, name, action }) => ({
        section,
        name,
        action,
        state: 'waiting',
        problems: [],
      })),
    },
  }
}

/** Returns a function that does a step and returns how it ended. */
async function actorOf(run: Run, ports: RunPorts): Promise<(step: JudgedStep) => Promise<StepEnd>> {
  const { estate, planned, caller, send } = run
  const takeable = await takeableThings(planned, caller, ports)
  const secrets = new Map(Object.entries(run.secrets))
  const doers = doersOf(estate, { caller, send, secrets, ports })
  const doomed = new Map(planned.undeclared.doomed.map((one) => [keyOf(one), one]))
  const actions: Readonly<Record<JudgedStep['action'], (step: JudgedStep) => Promise<StepEnd>>> = {
    nothing: async (step) => ({ ...unchanged, ...madeAt(takeable.get(keyOf(step))) }),
    unknown: async () => failed('you may not see what is there'),
    async create(step) {
      await doers.get(keyOf(step))?.(step)
      return { ...done, ...madeAt(await findThing(step, ports)) }
    },
    async change(step) {
      await doers.get(keyOf(step))?.(step)
      return { ...done, ...madeAt(takeable.get(keyOf(step))) }
    },
    async delete(step) {
      const thing = doomed.get(keyOf(step))
      const problems = thing ? await deleteThing(thing, thing.createdAt, send, ports) : []
      return { state: 'done', problems, isGone: true }
    },
  }
  return async (step) => {
    if (isRefused(step)) return { state: 'failed', problems: step.problems }
    try {
      return await actions[step.action](step)
    } catch (error) {
      if (error instanceof Failure && !isBug(error)) return failed(problemText(error))
      const { section, name } = step
      logFailure(ports.log, 'a step of an apply failed', { section, name, error })
      return broken
    }
  }
}

/** A deployment that failed is none, such as one that could not remove a container. */
const isBug = (error: Failure) => error.reason === 'internal' && !isOfOperation(error)

const isRefused = ({ action, problems }: JudgedStep) => action !== 'nothing' && problems.length > 0

const done = { state: 'done', problems: [] } as const
const unchanged = { state: 'unchanged', problems: [] } as const
const skipped = { state: 'skipped', problems: [] } as const
const failed = (problem: string): StepEnd => ({ state: 'failed', problems: [problem] })
/** The end of a step that has a bug. */
const broken = failed('the service failed: its log has the cause')

const madeAt = (thing: FoundThing | undefined) => thing && { createdAt: thing.createdAt }

const shown = ({ section, name, action }: JudgedStep, { state, problems }: StepEnd): Applied => ({
  section,
  name,
  action,
  state,
  problems: [...problems],
})

/** Returns how a step ended that was neither attempted nor took its thing. */
export function endWithoutAttempt(step: JudgedStep): Applied {
  if (isRefused(step)) return shown(step, { state: 'failed', problems: step.problems })
  return shown(step, step.action === 'unknown' ? unseen : unchanged)
}

const unseen = failed('you may not see what is there')
