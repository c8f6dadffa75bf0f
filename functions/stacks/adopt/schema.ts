import { z } from 'zod'
import { Base64 } from '../../kit/base64.ts'
import { StackName } from '../../kit/params.ts'
import { Stack, stackExample } from '../schema.ts'

const idExample = '019a0000-0000-7000-8000-000000000000'
const Time = z.iso.datetime()

export const AdoptionPath = z.object({ id: z.string().min(1).max(64) })
export const PartPath = z.object({
  id: z.string().min(1).max(64),
  n: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number from 0')
    .transform(Number)
    .meta({ type: 'integer', minimum: 0, description: 'The number of the part, from 0' }),
})

export const NewAdoption = z
  .strictObject({
    name: StackName.meta({ description: 'The name of the running project, and of the stack' }),
    host: z.string().min(1).max(128).optional(),
    size: z.int().min(1).meta({ description: 'Size of the packed bundle in bytes' }),
  })
  .meta({ id: 'NewAdoption', examples: [{ name: 'shop', size: 20480 }] })

export const Adoption = z
  .object({
    adoption_id: z.string(),
    part_size: z.int().meta({ description: 'Size of each part but the last in bytes' }),
    expires_at: Time,
  })
  .meta({
    id: 'Adoption',
    examples: [
      { adoption_id: idExample, part_size: 4194304, expires_at: '2026-11-22T10:00:00.000Z' },
    ],
  })

export const Part = z
  .strictObject({
    data: Base64.meta({
      type: 'string',
      contentEncoding: 'base64',
      minLength: 1,
      description: 'The bytes of the part in base64',
    }),
  })
  .meta({ id: 'BundlePart' })

export const AdoptionProgress = z
  .object({
    received: z.array(z.int()).meta({ description: 'Numbers of the parts that have arrived' }),
    expires_at: Time,
  })
  .meta({
    id: 'AdoptionProgress',
    examples: [{ received: [0, 1], expires_at: '2026-11-22T10:00:00.000Z' }],
  })

export const AdoptionEnd = z
  .strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
      .meta({ description: 'Digest of the packed bundle' }),
  })
  .meta({ id: 'AdoptionEnd', examples: [{ sha256: 'a'.repeat(64) }] })

export const AdoptedStack = Stack.extend({
  differences: z
    .array(
      z.object({
        service: z.string(),
        field: z.string(),
        running: z.string().nullable(),
        bundle: z.string().nullable(),
      }),
    )
    .meta({
      description:
        'How the running services differ from the bundle, which the next deploy would change. Values of variables ' +
        'are not shown',
    }),
  warnings: z.array(z.string()),
}).meta({
  id: 'AdoptedStack',
  examples: [
    {
      ...stackExample,
      directory: '/srv/shop',
      deployed_at: null,
      differences: [
        { service: 'web', field: 'image', running: 'nginx:1.28', bundle: 'nginx:1.29' },
      ],
      warnings: [],
    },
  ],
})
