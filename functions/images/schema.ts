import { z } from 'zod'
import { KeptImage, UnusedImage, unusedImage } from '../core/images/unused-image-schema.ts'
import { Reason } from '../core/reason-schema.ts'
import { layerStates } from '../core/records/host-engine.ts'
import { EngineTime, flag, HostQuery, HostRef, ImageName } from '../kit/params.ts'

export const Image = z
  .object({
    id: z.string().describe('Id of the image, `sha256:…`'),
    tags: z.array(z.string()).describe('Names of the image with their tags'),
    digests: z.array(z.string()).describe('Names of the image with the digests of registries'),
    size: z.int().meta({ description: 'Bytes' }),
    created_at: EngineTime.nullable().describe(
      'When the image was built; `null` if the image does not say it',
    ),
    containers: z.int().meta({ description: 'How many containers use it' }),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
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

export const PullImageBody = z
  .strictObject({
    image: ImageName.meta({
      description: 'The name of the image; without a tag or digest, `latest`',
    }),
    host: HostRef.optional().meta({ description: 'A host id or name; defaults to `local`' }),
  })
  .meta({ id: 'PullImageBody', examples: [{ image: 'nginx:1.29' }] })

export const PullQuery = HostQuery.extend({
  image: ImageName.meta({
    description: 'The name of the image; without a tag or digest, `latest`',
    examples: ['nginx:1.29'],
  }),
})

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

export const PruneQuery = HostQuery.extend({
  all: flag.default(false).meta({
    description:
      'Also remove images with names that no container uses; needs the permission stacks:privileged',
    default: false,
  }),
  dry_run: flag.default(false).meta({
    description: 'Remove nothing, and return what would be removed',
    default: false,
  }),
})

export const PrunedImages = z
  .object({
    deleted: z.array(z.string()).meta({
      description: 'The ids of the images and of the layers that no other image uses',
    }),
    reclaimed_bytes: z.int().meta({
      description: 'Bytes of disk space that were freed, without layers that other images share',
    }),
    images: z
      .array(UnusedImage)
      .describe('The images that were removed, or with `dry_run` would be'),
    kept: z.array(KeptImage).describe('The unused images that a prune leaves, and why'),
  })
  .meta({
    id: 'PrunedImages',
    examples: [
      {
        deleted: [unusedImage.id],
        reclaimed_bytes: 1_048_576,
        images: [unusedImage],
        kept: [
          {
            ...unusedImage,
            id: 'sha256:1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f',
            reason: 'deployment',
            stack: 'shop',
          },
        ],
      },
    ],
  })

const layer = z
  .object({
    id: z.string().describe('First digits of the digest of the layer'),
    state: z.enum(layerStates).describe('What is done with the layer now'),
    current: z.int().nullable().meta({
      description: 'Bytes that are downloaded or extracted; null while that is unknown',
    }),
    total: z.int().nullable().meta({ description: 'Bytes of the layer; null while unknown' }),
  })
  .meta({ id: 'PulledLayer' })

export const PullMessage = z
  .union([
    z.object({ layers: z.array(layer).describe('The layers that changed since the last message') }),
    z.object({ image: Image.describe('The image; this is the last message') }),
    z.object({
      error: z.string().describe('Why the pull failed; this is the last message'),
      status: z.int().meta({ description: 'The status with which `POST /images/pull` responds' }),
      reason: Reason.nullable().describe(
        'The reason, as in `X-Error-Reason`; null if there is none',
      ),
    }),
  ])
  .meta({
    id: 'PullMessage',
    examples: [
      {
        layers: [
          { id: '4468fcfee91d', state: 'downloading', current: 1_048_576, total: 29_124_181 },
        ],
      },
    ],
  })
