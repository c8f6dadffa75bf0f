import { z } from 'zod'
import { Base64 } from '../../kit/base64.ts'
import { HostRef, StackName } from '../../kit/params.ts'
import { Stack, stackExample } from '../schema.ts'

const idExample = '019a0000-0000-7000-8000-000000000000'
const Time = z.iso.datetime()

export const AdoptionPath = z.object({
  id: z.string().min(1).max(64).describe('Id of the adoption'),
})
export const PartPath = z.object({
  id: z.string().min(1).max(64).describe('Id of the adoption'),
  n: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number from 0 to 99999')
    .transform(Number)
    .meta({ type: 'integer', minimum: 0, description: 'The number of the part, from 0' }),
})

export const NewAdoption = z
  .strictObject({
    name: StackName.meta({ description: 'The name of the running project, and of the stack' }),
    host: HostRef.optional().describe(
      'Id or name of the host that the project runs on; defaults to `local`',
    ),
    size: z.int().min(1).meta({ description: 'Size of the packed bundle in bytes' }),
  })
  .meta({ id: 'NewAdoption', examples: [{ name: 'shop', size: 20480 }] })

export const Adoption = z
  .object({
    adoption_id: z.string().describe('Id of the adoption, for its parts and its completion'),
    part_size: z.int().meta({ description: 'Size of each part but the last in bytes' }),
    expires_at: Time.describe('When the adoption is given up unless it is complete'),
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
    expires_at: Time.describe('When the adoption is given up unless it is complete'),
  })
  .meta({
    id: 'AdoptionProgress',
    examples: [{ received: [0, 1], expires_at: '2026-11-22T10:00:00.000Z' }],
  })

export const AdoptionEnd = z
  .strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .meta({ description: 'Digest of the packed bundle' }),
  })
  .meta({ id: 'AdoptionEnd', examples: [{ sha256: 'a'.repeat(64) }] })

export const AdoptedStack = Stack.extend({
  differences: z
    .array(
      z.object({
        service: z.string().describe('Name of the service'),
        field: z.string().describe('Field of the compose file, such as `image`'),
        running: z
          .string()
          .nullable()
          .describe('Value of the running service; `null` if it has none'),
        bundle: z.string().nullable().describe('Value in the bundle; `null` if it has none'),
      }),
    )
    .meta({
      description:
        'How the running services differ from the bundle, which the next deploy would change. Values of variables ' +
        'are not shown',
    }),
  warnings: z.array(z.string()).describe('What else a person should know about the adopted files'),
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
