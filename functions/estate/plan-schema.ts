import { z } from 'zod'
import { estateActions, stepSections, stepStates } from '../core/records/estate.ts'
import { Estate, EstateName } from './schema.ts'

const EstateSection = z.enum(stepSections).meta({
  id: 'EstateSection',
  description: 'A section of the file; `stack_policies`: the `update_policy` of a stack',
})

const EstateAction = z.enum(estateActions).meta({
  id: 'EstateAction',
  description:
    '`create`: it is not there. `change`: it differs. `nothing`: it is as the file says. `unknown`: you may not see what is there. `delete`: an earlier file of the estate declared it, and this one does not',
})

export const stepFields = {
  section: EstateSection.describe('Where the thing is in the file'),
  name: z.string().describe('Name in the section, such as that of a stack'),
  action: EstateAction.describe('What a request would do'),
}

const EstateStep = z
  .object({
    ...stepFields,
    fields: z
      .array(z.string())
      .describe('Fields that change, such as `compose` or `files.conf/app.txt`'),
    secrets: z
      .array(z.string())
      .describe('Names of secrets that the step needs; none for `nothing`, which keeps them'),
    problems: z.array(z.string()).describe('Why the step would fail, as far as it is known now'),
    notes: z
      .array(z.string())
      .describe('What follows the step, such as that a source then deploys a stack that runs'),
    effect: z
      .string()
      .optional()
      .describe('What the deletion does, such as what stays; absent from other steps'),
  })
  .meta({
    id: 'EstateStep',
    description: 'What happens to a thing that the file declares, or an earlier one did',
  })

export const EstatePlan = z
  .object({
    name: EstateName,
    digest: z
      .string()
      .describe(
        'Digest of the file and of what is there. Send it as `plan` of `POST /estate/apply`, which then does this or nothing',
      ),
    steps: z
      .array(EstateStep)
      .describe(
        'One for each thing of the file, in the order in which they can be done, and then the deletions, which are done only with `prune`',
      ),
  })
  .meta({
    id: 'EstatePlan',
    description: 'What applying a file would do',
    examples: [
      {
        name: 'home',
        digest: '1f'.repeat(32),
        steps: [
          {
            section: 'stacks',
            name: 'shop',
            action: 'change',
            fields: ['compose'],
            secrets: [],
            problems: [],
            notes: [],
          },
        ],
      },
    ],
  })

export const stepProblems = z
  .array(z.string())
  .describe('Why it failed, or what a deletion left with the reason, such as a volume')

const AppliedStep = z
  .object({
    ...stepFields,
    state: z
      .enum(stepStates)
      .describe(
        '`unchanged`: there was nothing to do. `failed`: `problems` say why. `skipped`: the request ended before. The next apply does what is left',
      ),
    problems: stepProblems,
  })
  .meta({ id: 'AppliedEstateStep', description: 'What happened to a thing' })

export const AppliedEstate = z
  .object({
    name: EstateName,
    steps: z
      .array(AppliedStep)
      .describe('One for each thing of the file, in order, and with `prune` the deletions'),
  })
  .meta({
    id: 'AppliedEstate',
    description: 'What applying a file did',
    examples: [
      {
        name: 'home',
        steps: [{ section: 'stacks', name: 'shop', action: 'create', state: 'done', problems: [] }],
      },
    ],
  })

export const ApplyBody = z
  .strictObject({
    estate: Estate.describe('The file'),
    secrets: z
      .record(z.string().max(200), z.string())
      .default({})
      .describe(
        'Values by the names that the file refers to. A new thing needs all of its secrets; one that is there keeps those that are not given',
      ),
    plan: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be the digest that POST /estate/plan returned')
      .optional()
      .describe('The `digest` of the plan to do; if it is another one by now, nothing is done'),
    prune: z
      .boolean()
      .default(false)
      .describe(
        'Whether to delete what earlier applies of a file with this `name` made or took, and the file does not declare. Volumes stay',
      ),
  })
  .meta({
    id: 'ApplyEstateBody',
    examples: [
      {
        estate: {
          version: 1,
          name: 'home',
          stacks: [{ name: 'shop', compose: 'services:\n  web:\n    image: nginx:1.29\n' }],
        },
      },
    ],
  })
