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
import { type TakePorts, takeFilesOnce } from './take-files-once.ts'
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
  send: Send<StepPorts & DeletePorts & TakePorts>
  /** The steps after it was aborted are skipped. */
  ending: AbortSignal
}

type RunPorts = JudgePorts &
  StepPorts &
  DeletePorts &
  TakePorts &
  Needs<'clock' | 'estates' | 'log'>

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
  const bound = new Map<string, string>()
  const act = await actorOf(run, bound, ports)
  const attempt = attempter(run, ports)
  const journal = await startJournal(recordOf(run, ports), ports)
  const ends = new Map<number, StepEnd>()
  const finish = async (at: number, end: StepEnd) => {
    ends.set(at, end)
    await journal.note(at, end)
  }
  /** Stacks that wait for the files of their sources. */
  const waiting: { at: number; step: JudgedStep; end: StepEnd }[] = []
  const takeFiles = async () => {
    let taking: ReturnType<typeof takeFilesOnce> | undefined
    for (const { at, step, end } of waiting.splice(0)) {
      const taken = await attempt(step, async () => {
        taking ??= takeFilesOnce(bound, { send: run.send, ports })
        const failure = (await taking).get(step.name)
        if (failure) throw failure
        return end
      })
      // It was made, also if its files are not there yet.
      await finish(at, { ...end, ...taken })
    }
  }
  for (const [at, step] of steps.entries()) {
    if (step.section !== 'stacks') await takeFiles()
    const end = await attempt(step, () => act(step))
    if (step.section === 'stacks' && bound.has(step.name)) waiting.push({ at, step, end })
    else await finish(at, end)
  }
  await takeFiles()
  await journal.finish()
  return steps.map((step, at) => shown(step, ends.get(at) ?? skipped))
}

/**
 * Returns a function that does the work of a step and returns how it ended. Once the apply was
 * aborted, a bug showed, or the session of the caller ended, it skips the work.
 */
function attempter({ ending }: Run, { log }: Needs<'log'>) {
  let isOver = false
  return async ({ section, name }: JudgedStep, work: () => Promise<StepEnd>): Promise<StepEnd> => {
    if (ending.aborted || isOver) return skipped
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Failure) || isBug(error)) {
        isOver = true
        logFailure(log, 'a step of an apply failed', { section, name, error })
        return failed('the service failed: its log has the cause')
      }
      isOver = error.status === 401
      return failed(problemText(error))
    }
  }
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

/**
 * Returns a function that does a step and returns how it ended.
 *
 * @param bound gets the stacks that have no files of their sources yet; see `StepContext`
 */
async function actorOf(
  run: Run,
  bound: Map<string, string>,
  ports: RunPorts,
): Promise<(step: JudgedStep) => Promise<StepEnd>> {
  const { estate, planned, caller, send } = run
  const takeable = await takeableThings(planned, caller, ports)
  const secrets = new Map(Object.entries(run.secrets))
  const doers = doersOf(estate, { caller, send, secrets, ports, found: planned.found, bound })
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
    return actions[step.action](step)
  }
}

/** A deployment that failed is none, such as one that could not remove a container. */
const isBug = (error: Failure) => error.reason === 'internal' && !isOfOperation(error)

const isRefused = ({ action, problems }: JudgedStep) => action !== 'nothing' && problems.length > 0

const done = { state: 'done', problems: [] } as const
const unchanged = { state: 'unchanged', problems: [] } as const
const skipped = { state: 'skipped', problems: [] } as const
const failed = (problem: string): StepEnd => ({ state: 'failed', problems: [problem] })

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
