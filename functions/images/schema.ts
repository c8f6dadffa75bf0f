import { z } from 'zod'
import { flag, HostQuery } from '../kit/params.ts'

export const Image = z
  .object({
    id: z.string(),
    tags: z.array(z.string()),
    digests: z.array(z.string()),
    size: z.int().meta({ description: 'Bytes' }),
    created_at: z.string(),
    containers: z.int().meta({ description: 'How many containers use it' }),
    host_id: z.string(),
    host_name: z.string(),
  })
  .meta({
    id: 'Image',
    examples: [
      {
        id: 'sha256:0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e',
        tags: ['nginx:1.29'],
        digests: [],
        size: 192_000_000,
        created_at: '2026-11-01T08:00:00.000Z',
        containers: 1,
        host_id: 'local',
        host_name: 'local',
      },
    ],
  })

/**
 * An image name in Docker's syntax, or an id. Each part between slashes starts with a letter or
 * digit.
 */
const ImageName = z
  .string()
  .max(512)
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._:@-]|\/(?=[A-Za-z0-9]))*$/,
    'must be must be the name of an image, such as nginx:1.29 or registry.example.org/team/app:1',
  )

export const PullOrder = z
  .strictObject({
    image: ImageName.meta({
      description: 'The name of the image; without a tag or digest, `latest`',
    }),
    host: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'A host id; defaults to `local`' }),
  })
  .meta({ id: 'PullOrder', examples: [{ image: 'nginx:1.29' }] })

export const ImagePath = z.object({
  id: ImageName.meta({
    description:
      'An id (`sha256:…`), a prefix of an id, or a name, in which slashes are sent as `%2F`',
    examples: ['nginx:1.29'],
  }),
})

export const RemoveImageQuery = HostQuery.extend({
  force: flag.default(false).meta({
    description: 'Remove the image even if it has several names or stopped containers use it',
    default: false,
  }),
})

export const PrunedImages = z
  .object({
    deleted: z.array(z.string()).meta({
      description: 'The ids of the images and of the layers that no other image uses',
    }),
    reclaimed_bytes: z.int(),
  })
  .meta({
    id: 'PrunedImages',
    examples: [
      {
        deleted: ['sha256:0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e'],
        reclaimed_bytes: 1_048_576,
      },
    ],
  })
