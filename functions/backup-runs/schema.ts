import { z } from 'zod'

export const RunPath = z.object({ id: z.string().min(1).max(64) })

export const Verdict = z
  .object({
    ok: z.boolean(),
    files: z.int().min(0).meta({ description: 'Regular files in its archives' }),
    bytes: z.int().min(0).meta({ description: 'Of the archives, unpacked' }),
    problems: z
      .array(z.string())
      .meta({ description: 'What is wrong, by object; empty for a backup that is whole' }),
  })
  .meta({ id: 'BackupVerdict' })

const name = z.string().min(1).max(255)

const Source = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('stack'),
      name,
      services: z.array(name).min(1).max(100).optional().meta({
        description: 'Not the stack, but the volumes that these services of it have',
      }),
    }),
    z.strictObject({ kind: z.literal('volume'), name }),
    z.strictObject({
      kind: z.literal('system'),
      name: name.optional(),
    }),
  ])
  .meta({ id: 'RestoreSource' })

export const RestoreBody = z
  .strictObject({
    sources: z
      .array(Source)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'All stacks and volumes of the backup unless given' }),
    host: name.optional().meta({ description: 'The host of the backup unless given' }),
    stack_name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/)
      .optional()
      .meta({ description: 'Another name for the one stack that is restored' }),
    overwrite: z.boolean().optional().meta({ description: 'Replace what is there' }),
  })
  .meta({ id: 'RestoreBody' })
