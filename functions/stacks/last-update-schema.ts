import { z } from 'zod'
import { rollbackStates, updateOutcomes } from '../core/records/stack-update.ts'
import { Time } from '../kit/params.ts'

const UpdateRollback = z
  .object({
    state: z
      .enum(rollbackStates)
      .describe(
        '`due`: it is tried at `next_at`. `done`: the images from before are deployed. `failed`: it is no longer tried. `replaced`: someone else changed the services first, so nothing is rolled back',
      ),
    attempts: z.int().describe('How often it was tried'),
    next_at: Time.nullable().describe(
      'It is not tried again before; null unless `state` is `due` and it was tried',
    ),
    error: z.string().nullable().describe('Why the last attempt failed; null if none did'),
  })
  .meta({ id: 'UpdateRollback', description: 'How a bad update is rolled back' })

const UpdateUndo = z
  .object({
    until: Time.describe('Until when it is possible'),
    run_id: z.string().describe('Id of the backup run whose data it restores'),
  })
  .meta({ id: 'UpdateUndo', description: 'What an undo of an update restores' })

export const LastUpdate = z
  .object({
    deployment_id: z
      .string()
      .nullable()
      .describe('Id of the deployment of the newer images; null if none could begin'),
    outcome: z
      .enum(updateOutcomes)
      .describe(
        '`good`: the watch found nothing. `bad`: it is rolled back, or was undone. `failed`: it changed no container. `unknown`: it could not be judged',
      ),
    reason: z.string().nullable().describe('Why it was not good; null if it was'),
    at: Time.describe('When that was known'),
    undone_by: z
      .string()
      .nullable()
      .describe('Name of the account that undid it; null if none did. `outcome` is `bad` then'),
    rollback: UpdateRollback.nullable().describe('Null unless `outcome` is `bad`'),
    undo: UpdateUndo.nullable().describe(
      'What an undo restores besides images; null if the update cannot be undone with its data',
    ),
  })
  .meta({ id: 'LastUpdate', description: 'How the last automatic update of a stack went' })
