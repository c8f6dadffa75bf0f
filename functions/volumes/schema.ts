import { z } from 'zod'

export const Volume = z
  .object({
    name: z.string(),
    driver: z.string(),
    mountpoint: z.string(),
    created_at: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    stack: z.string().nullable(),
    host_id: z.string(),
    host_name: z.string(),
  })
  .meta({
    id: 'Volume',
    examples: [
      {
        name: 'shop_pages',
        driver: 'local',
        mountpoint: '/var/lib/docker/volumes/shop_pages/_data',
        created_at: '2026-11-21T10:00:00.000Z',
        labels: { 'com.docker.compose.project': 'shop' },
        stack: 'shop',
        host_id: 'local',
        host_name: 'local',
      },
    ],
  })
