import { z } from 'zod'
import { flag, HostRef } from '../kit/params.ts'

export const RunPath = z.object({ id: z.string().min(1).max(64).describe('Id of the run') })

export const RemoveRunQuery = z.object({
  force: flag.default(false).meta({
    description: 'Only removes the run from the list: what is at the target stays there',
  }),
})

export const Verdict = z
  .object({
    ok: z.boolean().describe('Whether the backup is intact'),
    files: z.int().min(0).meta({ description: 'Regular files in its archives' }),
    bytes: z.int().min(0).meta({ description: 'Unpacked bytes of the archives' }),
    problems: z
      .array(z.string())
      .meta({ description: 'Problems by object; empty if the backup is intact' }),
    warnings: z.array(z.string()).meta({
      description: 'What its stacks used that the backup does not contain, a sentence for each',
    }),
  })
  .meta({ id: 'BackupVerdict' })

const name = z.string().min(1).max(255)

const Source = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('stack').describe('A stack with its files and named volumes'),
        name: name.describe('Name of the stack in the backup'),
        services: z.array(name).min(1).max(100).optional().meta({
          description: 'Restores only the volumes of these services instead of the whole stack',
        }),
      })
      .meta({ id: 'RestoredStack' }),
    z
      .strictObject({
        kind: z.literal('volume').describe('A single volume'),
        name: name.describe('Name of the volume in the backup'),
      })
      .meta({ id: 'RestoredVolume' }),
    z
      .strictObject({
        kind: z
          .literal('system')
          .describe('The state of the service. It is restored by a program, not by a request'),
        name: name.optional().describe('Ignored'),
      })
      .meta({ id: 'RestoredSystem' }),
  ])
  .meta({ id: 'RestoreSource' })

export const RestoreBody = z
  .strictObject({
    sources: z
      .array(Source)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Defaults to all stacks and volumes of the backup' }),
    host: HostRef.optional().meta({
      description: 'A host id or name; defaults to the host of the backup',
    }),
    stack_name: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,62}$/,
        'must be at most 63 lower-case letters, digits, - and _, beginning with a letter or digit',
      )
      .optional()
      .meta({ description: 'A new name for the restored stack; allowed with a single stack' }),
    overwrite: z.boolean().optional().meta({ description: 'Replace existing stacks and volumes' }),
  })
  .meta({ id: 'RestoreBody' })
