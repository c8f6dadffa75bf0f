import { z } from 'zod'
import { Base64 } from '../../kit/base64.ts'
import { HostQuery } from '../../kit/params.ts'

/** Bytes of a part, before base64. */
export const partBytes = 4 * 1024 * 1024

const path = z
  .string()
  .max(4096)
  .regex(/^\/[^\0]*$/, 'must be an absolute path')

export const ArchiveQuery = HostQuery.extend({
  path: path.meta({ description: 'An absolute path in the container' }),
  offset: z
    .string()
    .regex(/^\d{1,10}$/, 'must be a number of bytes')
    .transform(Number)
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'Where the part begins: 0, or `next_offset` of the last part',
    }),
  stat: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(false)
    .meta({ description: 'Only say what the path is; `data` is empty then' }),
})

export const ArchivePart = z
  .object({
    kind: z
      .enum(['directory', 'file', 'link', 'other'])
      .describe('What the path is; a link is not followed'),
    size: z.int().describe('Bytes of the file'),
    mode: z.int().describe('Permission bits'),
    link_target: z.string().meta({ description: 'Where a link leads in the container, or empty' }),
    data: z.string().meta({
      contentEncoding: 'base64',
      description: 'The next 4 MiB of a tar archive of the path, in base64',
    }),
    next_offset: z.int().nullable().describe('Where the next part begins; `null` for the last one'),
    digest_before: z.string().meta({
      description:
        'SHA-256 of all bytes before this part. If it differs from that of the parts that you have, a file changed in between: begin again',
    }),
  })
  .meta({
    id: 'ContainerArchivePart',
    examples: [
      {
        kind: 'file',
        size: 6,
        mode: 420,
        link_target: '',
        data: '',
        next_offset: null,
        digest_before: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
    ],
  })

export const DirectoryQuery = HostQuery.extend({
  path: path.meta({ description: 'An absolute path of an existing directory in the container' }),
})

export const ArchiveBody = z
  .strictObject({
    data: Base64.meta({
      type: 'string',
      contentEncoding: 'base64',
      minLength: 1,
      description: 'A whole tar archive in base64, of at most 16 MiB',
    }),
  })
  .meta({ id: 'ContainerArchive' })
