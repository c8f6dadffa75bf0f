import { z } from 'zod'
import {
  hookFields,
  hookFieldsExample,
  hookSecretExample,
  hookSecretField,
} from '../../kit/hook-fields.ts'
import { Time } from '../../kit/params.ts'

const HookDeployment = z
  .object({
    at: Time.describe('When it began, or was given up'),
    deployment_id: z.string().nullable().describe('Id of the deployment; `null` if none began'),
    error: z.string().nullable().describe('Why none began; otherwise `null`'),
  })
  .meta({ id: 'HookDeployment', description: 'What followed the last right request' })

const fields = {
  ...hookFields,
  last_deployment: HookDeployment.nullable().describe('`null` before the first'),
}

const example = {
  path: '/api/v1/hooks/shop.2Fv0mJk3bq8sYwq1tG7xLQ',
  ...hookFieldsExample,
  last_deployment: {
    at: '2026-11-29T12:03:02.000Z',
    deployment_id: '01978f00-0000-7000-8000-000000000005',
    error: null,
  },
}

export const StackHook = z.object(fields).meta({
  id: 'StackHook',
  description: 'A web address that deploys a stack, without its secret',
  examples: [example],
})

export const StackHookSecret = z.object({ ...fields, ...hookSecretField }).meta({
  id: 'StackHookSecret',
  description: 'A hook with its secret',
  examples: [{ ...example, last_deployment: null, ...hookSecretExample }],
})
