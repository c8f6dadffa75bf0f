import { z } from 'zod'
import { instant } from '../../core/access/fields.ts'
import { sourceHookPath } from '../../core/hooks/hook-path.ts'
import type { SourceHook as HookRecord } from '../../core/records/source-hook.ts'
import {
  hookFields,
  hookFieldsExample,
  hookFieldsView,
  hookSecretExample,
  hookSecretField,
} from '../../kit/hook-fields.ts'
import { Time } from '../../kit/params.ts'

const HookLook = z
  .object({
    at: Time.describe('When it ended, or was given up'),
    error: z.string().nullable().describe('Why the source was not seen; `null` if it was'),
  })
  .meta({ id: 'HookLook', description: 'What followed the last right request' })

const fields = {
  ...hookFields,
  last_look: HookLook.nullable().describe('`null` before the first'),
}

const example = {
  path: '/api/v1/hooks/source.estate.2Fv0mJk3bq8sYwq1tG7xLQ',
  ...hookFieldsExample,
  last_look: { at: '2026-11-29T12:03:02.000Z', error: null },
}

export const SourceHook = z.object(fields).meta({
  id: 'SourceHook',
  description: 'A web address that makes the service look at a source, without its secret',
  examples: [example],
})

export const SourceHookSecret = z.object({ ...fields, ...hookSecretField }).meta({
  id: 'SourceHookSecret',
  description: 'A hook of a source with its secret',
  examples: [{ ...example, last_look: null, ...hookSecretExample }],
})

/** Returns a hook in the API's form, without its secret. */
export const sourceHookView = (
  hook: HookRecord,
  blocked: string | null,
): z.input<typeof SourceHook> => ({
  ...hookFieldsView(hook, sourceHookPath(hook), blocked),
  last_look: hook.lastLook && { at: instant(hook.lastLook.at), error: hook.lastLook.error },
})

/** Returns a hook that was just made, with its secret. */
export const madeSourceHookView = (hook: HookRecord): z.input<typeof SourceHookSecret> => ({
  ...sourceHookView(hook, null),
  secret: hook.secret,
})
