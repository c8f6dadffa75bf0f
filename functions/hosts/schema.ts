import { z } from 'zod'
import { ScopeTags } from '../core/access/fields.ts'
import { enrolmentWarning } from '../core/hosts/enrolment-warning.ts'
import { Time } from '../kit/params.ts'

/** A host name that a user may choose. */
export const HostName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u,
    'must contain only letters, digits, spaces and . _ -',
  )

export const CreateHostBody = z
  .strictObject({ name: HostName, tags: ScopeTags.optional() })
  .meta({ id: 'CreateHostBody' })

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

const Agent = z.object({
  version: z.string().nullable(),
  certificate_expires_at: Time.nullable(),
  last_seen_at: Time.nullable().meta({
    description: 'The current time while the host is connected',
  }),
})

export const Host = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['local', 'agent']),
    status: z.enum(['online', 'offline', 'pending', 'revoked']),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the host cannot be used; null while it is online' }),
    tags: z.array(z.string()),
    engine: Engine.nullable().meta({ description: 'Null while the Engine does not respond' }),
    agent: Agent.nullable().meta({ description: 'Null for the local host' }),
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
        error: null,
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

export const Enrolment = z
  .object({
    token: z.string().meta({ description: 'Shown only once; valid for one agent' }),
    expires_at: Time,
    command: z.string().meta({ description: 'Run it as root on the host; needs curl and Node.js' }),
    warning: z.string().nullable().meta({
      description:
        'A warning if the address in `command` is a loopback address or uses plain HTTP; otherwise null',
    }),
  })
  .meta({
    id: 'Enrolment',
    examples: [
      {
        token: 'cse_4f6d1b0c9a2e',
        expires_at: '2026-11-21T10:45:30.000Z',
        command:
          'curl -fsSL https://stacks.example.org/api/v1/agents/install.sh | AGENT_TOKEN=cse_4f6d1b0c9a2e sh',
        warning: null,
      },
    ],
  })

export const CreatedHost = z
  .object({ host: Host, enrolment: Enrolment })
  .meta({ id: 'CreatedHost' })

/** Returns an enrolment in the API's form. `command` installs an agent of the service at `base`. */
export function showEnrolment(
  { token, expiresAt }: { token: string; expiresAt: number },
  base: string,
): z.input<typeof Enrolment> {
  const command = `curl -fsSL ${base}/api/v1/agents/install.sh | AGENT_TOKEN=${token} sh`
  const warning = enrolmentWarning(base)
  return { token, expires_at: new Date(expiresAt).toISOString(), command, warning }
}
