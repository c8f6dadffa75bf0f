import { z } from 'zod'
import { estateActions, stepSections } from '../core/estate/plan-estate.ts'
import { Estate, EstateName } from './schema.ts'

const EstateSection = z.enum(stepSections).meta({
  id: 'EstateSection',
  description: 'A section of the file; `stack_policies`: the `update_policy` of a stack',
})

const EstateAction = z.enum(estateActions).meta({
  id: 'EstateAction',
  description:
    '`create`: it is not there. `change`: it differs. `nothing`: it is as the file says. `unknown`: you may not see what is there',
})

const stepFields = {
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
  })
  .meta({ id: 'EstateStep', description: 'What happens to a thing that the file declares' })

export const EstatePlan = z
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

/** How a step of an apply ended. */
export const stepStates = ['done', 'unchanged', 'failed', 'skipped'] as const

const AppliedStep = z
  .object({
    ...stepFields,
    state: z
      .enum(stepStates)
      .describe(
        '`unchanged`: there was nothing to do. `failed`: `problems` say why. `skipped`: the request ended before. The next apply does what is left',
      ),
    problems: z.array(z.string()).describe('Why it failed'),
  })
  .meta({ id: 'AppliedEstateStep', description: 'What happened to a thing of the file' })

export const AppliedEstate = z
  .object({
    name: EstateName,
    steps: z.array(AppliedStep).describe('One for each thing of the file, in order'),
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
