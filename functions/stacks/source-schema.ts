import { z } from 'zod'
import { onChangeModes, syncTriggers } from '../core/records/stack-source.ts'
import { aboutFields } from '../kit/about-fields.ts'
import { Time } from '../kit/params.ts'
import { acceptResponse } from '../kit/read-only.ts'

const SourceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be the name of a source')
  .describe('Name of the source')
const Path = z
  .string()
  .max(1024)
  .describe('Folder of the files in the source, without `/` at its ends; empty: all of it')
const Also = z
  .array(z.string().min(1).max(1024))
  .max(20)
  .describe(
    'Other folders of the source, whose files are not taken. A change in one of them is said, and with `deploy` the stack is deployed again, also with equal files',
  )
const OnChangeMode = z.enum(onChangeModes).meta({
  id: 'OnSourceChange',
  description:
    'What follows when the source has something new. `notify`: it is only said, and a sync takes it. `plan`: the files become the newest revision, for you to deploy. `deploy`: they are deployed too, unless the stack is stopped',
})
const OnChange = OnChangeMode.describe('What follows when the source has something new')
const Overwrite = z
  .boolean()
  .describe('Deployments overwrite files that were edited on the host; otherwise they stop there')

const stateFields = {
  revision: z.string().describe('What the source had, such as a digest or a commit'),
  tree_id: z.string().describe('Id of the content of the folders: equal ids, equal files'),
  ...aboutFields,
}

/** What a deployment for a source deploys. */
export const DeployedSource = z
  .object({
    source: SourceName,
    trigger: z
      .enum(syncTriggers)
      .describe('What began it: a look at the source, a hook of it or of the stack, or a user'),
    ...stateFields,
  })
  .meta({ id: 'DeployedSource', description: 'What a deployment took from a source' })

const WaitingState = z
  .object(stateFields)
  .meta({ id: 'WaitingSourceState', description: 'What a source has that was not taken' })

const SyncedState = z
  .object({ ...stateFields, synced_at: Time.describe('When it was taken') })
  .meta({ id: 'SyncedSourceState', description: 'What the files of a stack were taken from' })

const SyncError = z
  .object({
    reason: z
      .string()
      .describe(
        'Why, for programs: a reason as in `X-Error-Reason` or in `last_error` of a source; `no-source`: it was deleted; `deployment-failed`: a sync began a deployment, which failed. New ones may be added',
      ),
    message: z.string().describe('What is wrong, and what to do'),
    next_at: Time.nullable().describe(
      'When it is tried again; `null` if that is unknown, or if only something new at the source or a sync by a user does that',
    ),
    deployment_id: z
      .string()
      .nullable()
      .describe('Id of the deployment that failed; `null` for other reasons'),
  })
  .meta({ id: 'SyncError', description: 'Why a stack does not follow its source now' })

const settings = { source: SourceName, path: Path, also: Also, on_change: OnChange }

export const StackSource = z
  .object({
    ...settings,
    overwrite: Overwrite,
    acts_as: z
      .string()
      .nullable()
      .describe('User name of the account that bound it: syncs and deployments have its rights'),
    bound_at: Time.describe('When it was last bound'),
    kept: z
      .array(z.string())
      .describe(
        'Files that are kept here: they cover those of the source and can be edited. `.env`: some of its variables are; see `variables` of the file',
      ),
    synced: SyncedState.nullable().describe('`null` before the first sync'),
    waiting: WaitingState.nullable().describe('`null` if the source has nothing new'),
    is_waiting: z.boolean().describe('A sync was asked for, or a deployment is to begin'),
    last_looked_at: Time.nullable().describe('When the source was last asked; `null` before'),
    next_look_at: Time.nullable().describe('When it is asked next; `null` if only you do'),
    last_error: SyncError.nullable().describe(
      '`null` if the last sync, its deployment and the last look succeeded',
    ),
  })
  .meta({
    id: 'FollowedSource',
    description: 'How a stack follows a source',
    examples: [
      {
        source: 'shop',
        path: '',
        also: [],
        on_change: 'deploy',
        overwrite: false,
        acts_as: 'ada',
        bound_at: '2026-11-28T10:00:00.000Z',
        kept: ['.env'],
        synced: {
          revision: `sha256:${'1'.repeat(64)}`,
          tree_id: `sha256:${'1'.repeat(64)}`,
          author: null,
          subject: null,
          made_at: null,
          synced_at: '2026-11-29T12:00:00.000Z',
        },
        waiting: null,
        is_waiting: false,
        last_looked_at: '2026-11-29T12:00:00.000Z',
        next_look_at: '2026-11-29T12:05:00.000Z',
        last_error: null,
      },
    ],
  })

export const StackSourceBody = acceptResponse(
  z.strictObject({
    ...settings,
    path: Path.default(''),
    also: Also.default([]),
    overwrite: Overwrite.default(false),
  }),
  StackSource,
).meta({ id: 'FollowSourceBody', examples: [{ source: 'shop', on_change: 'deploy' }] })
