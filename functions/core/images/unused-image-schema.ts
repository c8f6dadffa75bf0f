import { z } from 'zod'
import { keepReasons } from './kept-images.ts'

/** The example of an unused image. */
export const unusedImage = {
  id: 'sha256:0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e2f3a4b5c0d1e',
  tags: [] as string[],
  digests: [] as string[],
  size: 192_000_000,
  created_at: '2026-11-01T08:00:00.000Z',
}

/** An image that no container uses. */
export const UnusedImage = z
  .object({
    id: z.string().describe('Id of the image, `sha256:…`'),
    tags: z.array(z.string()).describe('Names of the image with their tags'),
    digests: z.array(z.string()).describe('Names of the image with the digests of registries'),
    size: z.int().meta({ description: 'Bytes, with those of layers that other images share' }),
    created_at: z.string().meta({ format: 'date-time' }).nullable().meta({
      description: 'When the image was built; `null` if the image does not say it',
    }),
  })
  .meta({ id: 'UnusedImage' })

/** An unused image that every prune leaves. */
export const KeptImage = UnusedImage.extend({
  reason: z.enum(keepReasons).meta({
    description:
      'Why it stays: it is of a running deployment or one of the last three that brought the stack up (`deployment`), or the stack went back to it from an image that is held back (`held_back`)',
  }),
  stack: z.string().nullable().meta({
    description: 'The stack that needs it; `null` without the permission stacks:read',
  }),
}).meta({ id: 'KeptImage' })
