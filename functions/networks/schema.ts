import { z } from 'zod'

export const Network = z
  .object({
    id: z.string(),
    name: z.string(),
    driver: z.string(),
    scope: z.string(),
    internal: z.boolean(),
    created_at: z.string(),
    labels: z.record(z.string(), z.string()),
    stack: z.string().nullable(),
    host_id: z.string(),
    host_name: z.string(),
  })
  .meta({
    id: 'Network',
    examples: [
      {
        id: '9c1f0b2d9c1f0b2d9c1f0b2d9c1f0b2d9c1f0b2d9c1f0b2d9c1f0b2d9c1f0b2d',
        name: 'shop_default',
        driver: 'bridge',
        scope: 'local',
        internal: false,
        created_at: '2026-11-21T10:00:00.000Z',
        labels: { 'com.docker.compose.project': 'shop' },
        stack: 'shop',
        host_id: 'local',
        host_name: 'local',
      },
    ],
  })
