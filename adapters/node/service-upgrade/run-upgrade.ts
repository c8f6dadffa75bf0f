import { publicMessage } from '../../../functions/core/errors.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { UpgradeJournal } from '../../../functions/core/records/upgrade-journal.ts'
import {
  nextStep,
  stepAfterFailure,
  type UpgradeStep,
  type Watched,
} from '../../../functions/core/upgrade/next-step.ts'
import type { ObservedUpgrade, UpgradeEngine } from '../../docker/service-upgrade/upgrade-engine.ts'
import type { JournalFile } from './journal-file.ts'

export interface UpgradeRun {
  file: JournalFile
  engine: UpgradeEngine
  clock: Clock
  /** Receives a line for each step. */
  report(line: string): void
}

/** Milliseconds between two looks at a container that starts, and after a step that failed. */
const pauses = { wait: 500, failure: 5000 }

/** Milliseconds without an answer of the Engine after which this process ends. */
const lostAfter = 20_000

/**
 * Carries an open upgrade to its end, from wherever it is. Returns the journal as it ended.
 *
 * @throws Error if the journal is missing or damaged, or the Engine has shown nothing for 20 s. The
 *   upgrade is open then, and goes on when this is called again.
 */
export async function runUpgrade(run: UpgradeRun): Promise<UpgradeJournal> {
  const watch = containerWatch(run)
  const file = keptJournal(run)
  const kept = { ...run, file }
  const lost = lostEngine(run)
  let failures = 0
  for (;;) {
    const journal = await file.read()
    if (!journal) throw new Error('there is no upgrade to carry out')
    if (isOver(journal)) {
      if (file.isWritten()) return journal
      await run.clock.sleep(pauses.failure)
      continue
    }
    let step: UpgradeStep | undefined
    try {
      const seen = await run.engine.observe(journal)
      lost.found()
      step = nextStep(journal, seen, await watch.look(journal, seen))
      if (journal.outcome === 'not_started' && step.kind === 'end') return journal
      await carryOut(step, journal, seen, kept)
      if (step.kind === 'start_new') watch.started(seen.newId)
      if (step.kind !== 'wait') failures = 0
    } catch (error) {
      const reason = publicMessage(error, String(error))
      run.report(`${step?.kind ?? 'observe'} failed: ${reason}`)
      // A change that is not written yet would be lost.
      if (!step && file.isWritten()) lost.missed(reason)
      // An Engine that shows nothing can do nothing either.
      if (step) failures += 1
      const next = step ? stepAfterFailure(journal, failures, reason) : undefined
      if (next && next.kind !== 'wait') {
        await record(next, journal, kept)
        failures = 0
      }
      await run.clock.sleep(pauses.failure)
    }
  }
}

/**
 * Returns a journal whose last change counts before it is written, so that a full disk does not
 * keep the old container from its start. Each read tries to write it again.
 */
function keptJournal({ file, report }: UpgradeRun) {
  let unwritten: UpgradeJournal | undefined
  const write = async (journal: UpgradeJournal) => {
    try {
      await file.write(journal)
      unwritten = undefined
    } catch (error) {
      unwritten = journal
      report(`the journal cannot be written yet: ${publicMessage(error, String(error))}`)
    }
  }
  return {
    write,
    isWritten: () => unwritten === undefined,
    async read(): Promise<UpgradeJournal | undefined> {
      if (unwritten) await write(unwritten)
      return unwritten ?? (await file.read())
    },
  }
}

/** What a start that was given up has begun all the same is still to be taken back. */
const isOver = ({ outcome }: UpgradeJournal) => outcome !== 'open' && outcome !== 'not_started'

/**
 * Gives up an Engine for good after a while. With `live-restore`, this process outlives its Engine,
 * whose next process has another socket: the one that is mounted here never responds again. The
 * Engine starts a container that has ended with its socket of that time.
 */
function lostEngine({ clock }: UpgradeRun) {
  let since: number | undefined
  return {
    found() {
      since = undefined
    },
    /** @throws Error if it has not responded for too long */
    missed(reason: string) {
      since ??= clock.monotonic()
      if (clock.monotonic() - since < lostAfter) return
      throw new Error(`the Engine did not respond for ${lostAfter / 1000} s: ${reason}`)
    },
  }
}

async function carryOut(
  step: UpgradeStep,
  journal: UpgradeJournal,
  seen: ObservedUpgrade,
  run: UpgradeRun,
): Promise<void> {
  if (step.kind === 'wait') return run.clock.sleep(pauses.wait)
  if (step.kind === 'turn_back' || step.kind === 'end') return record(step, journal, run, seen)
  run.report(step.kind)
  await run.engine.execute(step, journal, seen)
}

/** Writes what a step changes in the journal alone. */
async function record(
  step: UpgradeStep,
  journal: UpgradeJournal,
  { file, engine, clock, report }: UpgradeRun,
  seen?: ObservedUpgrade,
): Promise<void> {
  if (step.kind === 'turn_back') {
    report(`turn back: ${step.error}`)
    const newId = seen?.newId ?? (await engine.observe(journal)).newId
    const log = newId === undefined ? [] : await engine.lastLines(newId)
    await file.write({ ...journal, direction: 'back', error: step.error, log })
  }
  if (step.kind === 'end') {
    const { outcome, error } = step
    report(error === null ? outcome : `${outcome}: ${error}`)
    await file.write({ ...journal, outcome, error, endedAt: clock.now() })
  }
}

/** Remembers since when the container that is to run does so. */
function containerWatch({ engine, clock }: UpgradeRun) {
  let ran: { id: string; since: number } | undefined
  const started = (id: string | undefined) => {
    if (id !== undefined && ran?.id !== id) ran = { id, since: clock.monotonic() }
  }
  return {
    started,
    async look(journal: UpgradeJournal, seen: ObservedUpgrade): Promise<Watched> {
      // One that was given up is taken back, whatever its direction was.
      const isForward = journal.outcome === 'open' && journal.direction === 'forward'
      const id = isForward ? seen.newId : seen.oldId
      const target = isForward ? seen.new : seen.old
      if (target?.isRunning) started(id)
      const isHealthy = target?.isRunning === true && (await engine.isHealthy(id ?? ''))
      const hasRun = ran !== undefined && ran.id === id
      return { hasRun, waited: hasRun ? clock.monotonic() - (ran?.since ?? 0) : 0, isHealthy }
    },
  }
}
