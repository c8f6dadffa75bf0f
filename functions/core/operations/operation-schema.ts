import { z } from 'zod'
import { Instant } from '../access/fields.ts'
import { Reason } from '../reason-schema.ts'
import { operationKinds, operationStatuses, operationSubjects } from '../records/operation.ts'

/** The kinds of operations that have a record of their own. */
export const LongOperationKind = z.enum(operationKinds).meta({
  id: 'LongOperationKind',
  description: 'What an operation does',
})

export const OperationStatus = z.enum(operationStatuses).meta({
  id: 'OperationStatus',
  description: 'How far an operation is, or how it ended',
})

const Subject = z
  .object({
    kind: z.enum(operationSubjects).describe('What it is'),
    id: z.string().describe('Its id; of an image, the name that was pulled'),
    name: z.string().describe('Its name; of a backup run, that of its job'),
  })
  .meta({ id: 'OperationSubject', description: 'What an operation works on' })

const head = z.object({
  id: z.string().describe('Id of the operation'),
  kind: LongOperationKind.describe('What it does'),
  subject: Subject.describe('What it works on'),
  host: z.string().describe('Id of the host'),
  host_name: z.string().describe('Name of the host when the operation started'),
  by: z.string().describe('Name of the user who started it'),
  status: OperationStatus.describe(
    '`interrupted`: a user cancelled it, or the process that ran it ended',
  ),
  error: z.string().nullable().describe('Why it failed or was interrupted; otherwise `null`'),
  reason: Reason.nullable().describe('The reason, as in `X-Error-Reason`; `null` if there is none'),
  started_at: Instant.describe('When it started'),
  finished_at: Instant.nullable().describe('When it ended; `null` while it is running'),
  result_truncated: z.boolean().describe('Whether lists of the result were cut to bound its size'),
})

const example = {
  id: '01978f00-0000-7000-8000-000000000003',
  kind: 'image_pull' as const,
  subject: { kind: 'image' as const, id: 'nginx:1.29', name: 'nginx:1.29' },
  host: 'local',
  host_name: 'local',
  by: 'ada',
  status: 'running' as const,
  error: null,
  reason: null,
  started_at: '2026-06-02T01:30:00.000Z',
  finished_at: null,
  result_truncated: false,
}

/** An operation as a list has it. */
export const OperationHead = head.meta({ id: 'OperationHead', examples: [example] })

export const Operation = head
  .extend({
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The body that the 200 of its request would have had: an image, the pruned images, a publication, the verdict on a backup or the minutes of a pause. `null` until it has succeeded. A `service_upgrade` has `step` and the versions here while it runs, and at its end what `last` of `GET /service/upgrade` has',
      ),
  })
  .meta({ id: 'Operation', examples: [{ ...example, result: null }] })
