import { z } from 'zod'
import { Instant } from '../../core/access/fields.ts'
import { stepStates } from '../../core/records/estate.ts'
import { stepFields, stepProblems } from '../plan-schema.ts'
import { EstateName } from '../schema.ts'

export const EstatePath = z.object({ name: EstateName })

const Step = z
  .object({
    ...stepFields,
    state: z
      .enum([...stepStates, 'waiting'])
      .describe(
        '`unchanged`: there was nothing to do. `failed`: `problems` say why. `skipped`: the apply ended before. `waiting`: its turn has not come',
      ),
    problems: stepProblems,
  })
  .meta({ id: 'EstateApplyStep', description: 'How a step of an apply went' })

export const EstateApply = z
  .object({
    name: EstateName,
    by: z.string().describe('Name of the user who applied the file'),
    prune: z.boolean().describe('Whether it was to delete what the file does not declare'),
    status: z
      .enum(['running', 'ended', 'interrupted'])
      .describe(
        '`interrupted`: its process ended before. The step that was under way is `skipped` here, but may have been done',
      ),
    started_at: Instant.describe('When it started'),
    finished_at: Instant.nullable().describe('When it ended; `null` if it runs or was interrupted'),
    steps: z
      .array(Step)
      .describe('In order. Long problems are cut, and only the first three of a step are kept'),
  })
  .meta({
    id: 'EstateApply',
    description: 'The newest apply of a file with this name',
    examples: [
      {
        name: 'home',
        by: 'ada',
        prune: false,
        status: 'ended',
        started_at: '2026-06-02T01:30:00.000Z',
        finished_at: '2026-06-02T01:30:09.000Z',
        steps: [{ section: 'stacks', name: 'shop', action: 'create', state: 'done', problems: [] }],
      },
    ],
  })
