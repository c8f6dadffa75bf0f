import { z } from 'zod'
import { Instant, instant, ScopeTags } from '../core/access/fields.ts'
import type { Caller } from '../core/records/account.ts'
import type { VariableSet as Record } from '../core/records/variable-set.ts'
import { isReserved, namePattern } from '../core/stacks/shared-variables.ts'
import { variablesMax } from '../core/stacks/variable-set.ts'
import { SetName, StackName } from '../kit/params.ts'
import { acceptResponse } from '../kit/read-only.ts'

const Name = SetName.describe('Name of the set')

export const SetPath = z.object({ name: Name })

export const VariableSet = z
  .object({
    name: Name,
    tags: z
      .array(z.string())
      .describe('Tags of the hosts whose stacks may take it; empty for every host'),
    variable_names: z
      .array(z.string())
      .max(variablesMax)
      .describe('Names of its variables. Their values are never returned'),
    stacks: z.array(StackName).describe('Names of the stacks in your scope that take it'),
    created_at: Instant.describe('When it was created'),
    updated_at: Instant.describe('When it was last changed'),
  })
  .meta({ id: 'VariableSet' })

const VariableName = z
  .string()
  .max(128)
  .regex(namePattern, 'must be letters, digits and _, not beginning with a digit')
  .refine(
    (name) => !isReserved(name),
    'must not be a name that Compose or Docker reads without a file that names it, such as COMPOSE_PROFILES: set it in `.env`',
  )

const Value = z
  .string()
  .max(16 * 1024)
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character')

const Tags = ScopeTags.describe(
  'Tags of the hosts whose stacks may take it, of which a host needs one; empty for every host',
)

export const CreateVariableSetBody = z
  .strictObject({
    name: Name,
    tags: Tags.default([]),
    variables: z
      .record(VariableName, Value)
      .default({})
      .describe('Values by name, as they are: a `$` in one stands for itself'),
  })
  .meta({ id: 'CreateVariableSetBody' })

export const UpdateVariableSetBody = acceptResponse(
  z.strictObject({
    name: Name.optional().describe('The present name: it cannot be changed'),
    tags: Tags.optional(),
    variables: z
      .record(VariableName, Value.nullable())
      .optional()
      .describe('New values by name; `null` deletes a variable. Others keep their values'),
  }),
  VariableSet,
).meta({ id: 'UpdateVariableSetBody' })

/** The reader of a set, and what else is known of it. */
interface Shown {
  caller: Pick<Caller, 'scopeTags'>
  /** The names of the stacks that take it. */
  stacks: readonly string[] | undefined
}

/**
 * Returns a set in the API's form, without its values. A caller with a scope does not see tags of
 * other hosts.
 */
export function showSet(
  { id, tags, variables, createdAt, updatedAt }: Record,
  { caller: { scopeTags }, stacks = [] }: Shown,
) {
  const isShown = (tag: string) => scopeTags.length === 0 || scopeTags.includes(tag)
  return {
    name: id,
    tags: tags.filter(isShown),
    variable_names: Object.keys(variables),
    stacks: [...stacks],
    created_at: instant(createdAt),
    updated_at: instant(updatedAt),
  }
}

export const setExample = {
  name: 'home',
  tags: [],
  variable_names: ['TZ', 'SMTP_PASSWORD'],
  stacks: ['shop'],
  created_at: '2026-06-01T12:00:00.000Z',
  updated_at: '2026-06-01T12:00:00.000Z',
}
