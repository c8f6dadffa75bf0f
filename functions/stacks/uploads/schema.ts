import { z } from 'zod'
import { StackName } from '../../kit/params.ts'
import { UnsentData } from '../schema.ts'

const idExample = '019a0000-0000-7000-8000-000000000000'
const Time = z.iso.datetime()

const name = StackName.describe('Name of the stack')
const id = z.string().min(1).max(64).describe('Id of the upload')

export const UploadsPath = z.object({ name })
export const UploadPath = z.object({ name, id })
export const UploadPartPath = z.object({
  name,
  id,
  n: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number from 0 to 99999')
    .transform(Number)
    .meta({ type: 'integer', minimum: 0, description: 'The number of the part, from 0' }),
})

export const NewUpload = z
  .strictObject({
    size: z.int().min(1).meta({ description: 'Size of the packed bundle in bytes' }),
    revision: z.int().optional().meta({ description: 'The revision that the change is based on' }),
  })
  .meta({ id: 'NewUpload', examples: [{ size: 20480, revision: 1 }] })

export const StartedUpload = z
  .object({
    upload_id: z.string().describe('Id of the upload, for its parts and its completion'),
    part_size: z.int().meta({ description: 'Size of each part but the last in bytes' }),
    expires_at: Time.describe('When the upload is given up unless it is complete'),
  })
  .meta({
    id: 'StartedUpload',
    examples: [
      { upload_id: idExample, part_size: 4194304, expires_at: '2026-11-22T10:00:00.000Z' },
    ],
  })

export const UploadProgress = z
  .object({
    received: z.array(z.int()).meta({ description: 'Numbers of the parts that have arrived' }),
    expires_at: Time.describe('When the upload is given up unless it is complete'),
  })
  .meta({
    id: 'UploadProgress',
    examples: [{ received: [0, 1], expires_at: '2026-11-22T10:00:00.000Z' }],
  })

export const UploadEnd = z
  .strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .meta({ description: 'Digest of the packed bundle' }),
    remove: z.array(z.string().min(1).max(1024)).max(20_000).optional().meta({
      description: 'Paths of files to delete; those that the stack does not have are ignored',
    }),
    unsent_data: UnsentData.optional(),
  })
  .meta({ id: 'UploadEnd', examples: [{ sha256: 'a'.repeat(64), remove: ['conf/old.conf'] }] })
