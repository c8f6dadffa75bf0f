import { z } from 'zod'
import { EngineTime } from '../kit/params.ts'

export const Volume = z
  .object({
    name: z.string().describe('Name of the volume'),
    driver: z.string().describe('Driver of the volume, such as `local`'),
    mountpoint: z.string().describe('Path of its data on the host'),
    created_at: EngineTime.nullable().describe(
      'When the volume was created; `null` if the Engine does not know',
    ),
    labels: z.record(z.string(), z.string()).describe('Labels of the volume'),
    stack: z
      .string()
      .nullable()
      .describe('Name of its stack or compose project; `null` if it has none'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
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

export const VolumePath = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/, 'must be the name of a volume')
    .describe('Name of the volume'),
})
