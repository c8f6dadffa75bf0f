import { Failure } from '../core/errors.ts'
import {
  type EstateAction,
  type EstateSection,
  estateSections,
  keyOf,
  type PlannedStep,
  planEstate,
} from '../core/estate/plan-estate.ts'
import type { Caller } from '../core/records/account.ts'
import { type JudgePorts, judgesOf } from './judge-steps.ts'
import { presentThings } from './present-things.ts'
import { readRecords } from './read-records.ts'
import { type EstateForm, nameOf } from './schema.ts'
import { secretsIn } from './secrets-in.ts'
import { wantedThings } from './wanted-things.ts'

/** A step with the names of the secrets that it uses. */
export interface JudgedStep extends PlannedStep {
  secrets: string[]
}

/** Returns what applying a file would do if this caller did it. Changes nothing. */
export async function planFor(
  estate: EstateForm,
  caller: Caller,
  ports: JudgePorts,
): Promise<JudgedStep[]> {
  const records = await readRecords(caller, ports)
  const declared = new Set(estate.stacks.map(({ name }) => name))
  const [present, hosts] = await Promise.all([
    presentThings(records, declared, caller, ports),
    ports.hosts.list(),
  ])
  const unseen = new Set<EstateSection>(records.unseen.keys())
  if (unseen.has('stacks')) unseen.add('stack_policies')
  const judges = judgesOf(estate, caller, ports)
  const secrets = secretsOf(estate)
  const steps: JudgedStep[] = []
  for (const step of planEstate(wantedThings(estate, hosts), present, unseen)) {
    const isDone = step.action === 'nothing'
    const problem = isDone ? undefined : await problemOf(judges.get(keyOf(step)), step.action)
    const problems = problem === undefined ? step.problems : [...step.problems, problem]
    steps.push({ ...step, problems, secrets: isDone ? [] : (secrets.get(keyOf(step)) ?? []) })
  }
  return steps
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

/** Returns why a request failed. Fields of its body are called as the file calls them. */
export const problemText = ({ message }: Failure): string => message.replaceAll(/\bbody\./g, '')

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
