import { Failure } from '../core/errors.ts'
import {
  type EstateAction,
  type EstateSection,
  estateSections,
  keyOf,
  planEstate,
  type WantedThing,
} from '../core/estate/plan-estate.ts'
import { planPrune, type Undeclared } from '../core/estate/plan-prune.ts'
import type { Caller } from '../core/records/account.ts'
import type { EstateRecord } from '../core/records/estate.ts'
import { type FoundThing, foundThings } from './found-things.ts'
import { type JudgePorts, judgesOf } from './judge-steps.ts'
import type { JudgedStep } from './judged-step.ts'
import { planDeletions } from './plan-deletions.ts'
import { planDigest } from './plan-digest.ts'
import { presentThings } from './present-things.ts'
import { problemText } from './problem-text.ts'
import { type EstateRecords, readRecords } from './read-records.ts'
import { type EstateForm, nameOf } from './schema.ts'
import { secretsIn } from './secrets-in.ts'
import { stepNotes } from './step-notes.ts'
import { wantedThings } from './wanted-things.ts'

export interface JudgedEstate {
  /** Those that delete come last. They are only done if the caller asks for it. */
  steps: JudgedStep[]
  /** See `planDigest`. */
  digest: string
  /** What is known of the estate. Undefined if no file of it was applied. */
  record: EstateRecord | undefined
  undeclared: Undeclared
  /** What the caller sees, by key. */
  found: ReadonlyMap<string, FoundThing>
  /** Returns whether the caller sees all things of a section. */
  isSeen(section: EstateSection): boolean
}

/** Returns what applying a file would do if this caller did it. Changes nothing. */
export async function planFor(
  estate: EstateForm,
  caller: Caller,
  ports: JudgePorts,
): Promise<JudgedEstate> {
  const records = await readRecords(caller, ports)
  const wanted = wantedThings(estate, await ports.hosts.list())
  const found = new Map(foundThings(records).map((one) => [keyOf(one), one]))
  const record = await ports.estates.find(estate.name)
  const undeclared = record
    ? planPrune(record, new Set(wanted.map(keyOf)), found, await ports.estates.list())
    : { doomed: [], shared: [] }
  const context = { wanted, found, caller }
  const steps = [
    ...(await stepsOf(estate, wanted, records, caller, ports)),
    ...(await planDeletions(undeclared.doomed, context, ports)),
  ]
  return {
    steps,
    digest: planDigest(steps, wanted, found),
    record,
    undeclared,
    found,
    isSeen: seenSections(records, caller),
  }
}

/** Returns the steps that make and change what the file declares. */
async function stepsOf(
  estate: EstateForm,
  wanted: readonly WantedThing[],
  records: EstateRecords,
  caller: Caller,
  ports: JudgePorts,
): Promise<JudgedStep[]> {
  const declared = new Set(estate.stacks.map(({ name }) => name))
  const present = await presentThings(records, declared, caller, ports)
  const unseen = new Set<EstateSection>(records.unseen.keys())
  if (unseen.has('stacks')) unseen.add('stack_policies')
  const judges = judgesOf(estate, caller, ports)
  const secrets = secretsOf(estate)
  const steps: JudgedStep[] = []
  const planned = planEstate(wanted, present, unseen)
  const notesOf = stepNotes(estate, records.stacks, planned)
  for (const step of planned) {
    const isDone = step.action === 'nothing'
    const problem = isDone ? undefined : await problemOf(judges.get(keyOf(step)), step.action)
    const problems = problem === undefined ? step.problems : [...step.problems, problem]
    const names = isDone ? [] : (secrets.get(keyOf(step)) ?? [])
    steps.push({ ...step, problems, secrets: names, notes: notesOf(step) })
  }
  return steps
}

function seenSections(
  { unseen, hidesJobs }: EstateRecords,
  { scopeTags }: Pick<Caller, 'scopeTags'>,
): (section: EstateSection) => boolean {
  return (section) => {
    if (scopeTags.length > 0 || (section === 'backup_jobs' && hidesJobs)) return false
    return !unseen.has(section === 'stack_policies' ? 'stacks' : section)
  }
}

type Judge = ReturnType<ReturnType<typeof judgesOf>['get']>

/** Returns why a step would fail. */
async function problemOf(judge: Judge, action: EstateAction): Promise<string | undefined> {
  try {
    await judge?.(action)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return problemText(error)
  }
}

/** Returns the names of the secrets of each thing, by its key. */
function secretsOf(estate: EstateForm): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>()
  for (const section of estateSections) {
    for (const entry of estate[section]) {
      // An overlay can be called `from`, as the field of a reference is.
      const { overlays: _, ...rest } = { overlays: undefined, ...entry }
      names.set(keyOf({ section, name: nameOf(entry) }), secretsIn(rest))
    }
  }
  return names
}
