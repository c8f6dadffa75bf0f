import { z } from 'zod'
import { Failure } from '../core/errors.ts'
import {
  type EstateAction,
  estateActions,
  estateSections,
  keyOf,
  planEstate,
} from '../core/estate/plan-estate.ts'
import { endpoint } from '../kit/endpoint.ts'
import { type JudgePorts, judgesOf } from './judge-steps.ts'
import { presentThings } from './present-things.ts'
import { readRecords } from './read-records.ts'
import { Estate, type EstateForm, EstateName, nameOf } from './schema.ts'
import { secretsIn } from './secrets-in.ts'
import { wantedThings } from './wanted-things.ts'

const EstateStep = z
  .object({
    section: z
      .enum(estateSections)
      .meta({ id: 'EstateSection', description: 'A section of the file' }),
    name: z
      .string()
      .describe('Name in the section; `stack:` and its name for the update policy of a stack'),
    action: z.enum(estateActions).meta({
      id: 'EstateAction',
      description:
        '`create`: it is not there. `change`: it differs. `nothing`: it is as the file says. `unknown`: you may not see what is there',
    }),
    fields: z
      .array(z.string())
      .describe('Fields that change, such as `compose` or `files.conf/app.txt`'),
    secrets: z
      .array(z.string())
      .describe('Names of secrets that the step needs; none for `nothing`, which keeps them'),
    problems: z.array(z.string()).describe('Why the step would fail, as far as it is known now'),
  })
  .meta({ id: 'EstateStep', description: 'What happens to a thing that the file declares' })

const EstatePlan = z
  .object({
    name: EstateName,
    steps: z
      .array(EstateStep)
      .describe('One for each thing of the file, in the order in which they can be done'),
  })
  .meta({
    id: 'EstatePlan',
    description: 'What applying a file would do',
    examples: [
      {
        name: 'home',
        steps: [
          {
            section: 'stacks',
            name: 'shop',
            action: 'change',
            fields: ['compose'],
            secrets: [],
            problems: [],
          },
        ],
      },
    ],
  })

export default endpoint({
  summary: 'Compare a file of everything with the service',
  description:
    'Says for each thing that the file declares whether it would be created or changed, with the fields that differ, and why you could not do so: with the permissions that its own endpoint needs. Changes nothing. ' +
    'A stored secret is never compared: it counts as the same. The files of stacks are compared, but not loaded. Things that the file does not declare are left out.',
  access: 'signed-in',
  changes: false,
  body: Estate,
  bodyLimit: 8 * 1024 * 1024,
  returns: EstatePlan,

  async run({ body, caller }, ports: JudgePorts) {
    const records = await readRecords(caller, ports)
    const declared = new Set(body.stacks.map(({ name }) => name))
    const [present, hosts] = await Promise.all([
      presentThings(records, declared, caller, ports),
      ports.hosts.list(),
    ])
    const unseen = new Set(records.unseen.keys())
    const planned = planEstate(wantedThings(body, hosts), present, unseen)
    const judges = judgesOf(body, caller, ports)
    const secrets = secretsOf(body)
    const steps: z.input<typeof EstateStep>[] = []
    for (const step of planned) {
      const { section, name, action, fields } = step
      const isDone = action === 'nothing'
      const problem = isDone ? undefined : await problemOf(judges.get(keyOf(step)), action)
      const problems = problem === undefined ? step.problems : [...step.problems, problem]
      const needed = isDone ? [] : (secrets.get(keyOf(step)) ?? [])
      steps.push({ section, name, action, fields, secrets: needed, problems })
    }
    return { name: body.name, steps }
  },
})

type Judge = ReturnType<ReturnType<typeof judgesOf>['get']>

/** Returns why a step would fail. Fields of a request are called as the file calls them. */
async function problemOf(judge: Judge, action: EstateAction): Promise<string | undefined> {
  try {
    await judge?.(action)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.message.replaceAll(/\bbody\./g, '')
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
