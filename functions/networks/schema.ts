import { z } from 'zod'
import { EngineTime } from '../kit/params.ts'

export const Network = z
  .object({
    id: z.string().describe('Id of the network'),
    name: z.string().describe('Name of the network'),
    driver: z.string().describe('Driver of the network, such as `bridge`'),
    scope: z.string().describe('`local` for one host, `swarm` for a swarm'),
    internal: z.boolean().describe('Whether its containers cannot reach other networks'),
    created_at: EngineTime.describe('When the network was created'),
    labels: z.record(z.string(), z.string()).describe('Labels of the network'),
    stack: z
      .string()
      .nullable()
      .describe('Name of its stack or compose project; `null` if it has none'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
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

export const NetworkPath = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/, 'must be the id or name of a network')
    .describe('Id or name of the network'),
})
