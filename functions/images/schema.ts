import { z } from 'zod'

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
