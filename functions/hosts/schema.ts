import { z } from 'zod'
import { ScopeTags } from '../core/access/fields.ts'

/** The name of a host as it may be chosen. */
export const HostName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u, 'letters, digits, blanks and . _ - only')

export const UpdateHostBody = z
  .strictObject({ name: HostName.optional(), tags: ScopeTags.optional() })
  .meta({ id: 'UpdateHostBody' })

export const HostPath = z.object({ id: z.string().min(1).max(128) })

const Engine = z.object({
  version: z.string(),
  api_version: z.string(),
  os: z.string(),
  arch: z.string(),
  cpus: z.number(),
  memory: z.number().meta({ description: 'Bytes' }),
})

export const Host = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['local', 'agent']),
    status: z.enum(['online', 'offline', 'pending', 'revoked']),
    tags: z.array(z.string()),
    engine: Engine.nullable().meta({ description: 'Null while the host is offline' }),
    agent: z.null().meta({ description: 'Null for the local host' }),
    containers: z.object({ running: z.int(), total: z.int() }).nullable(),
  })
  .meta({
    id: 'Host',
    examples: [
      {
        id: 'local',
        name: 'local',
        kind: 'local',
        status: 'online',
        tags: [],
        engine: {
          version: '20.10.24',
          api_version: '1.41',
          os: 'linux',
          arch: 'x86_64',
          cpus: 2,
          memory: 25_200_000_000,
        },
        agent: null,
        containers: { running: 3, total: 4 },
      },
    ],
  })
