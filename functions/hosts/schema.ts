import { z } from 'zod'
import { ScopeTags } from '../core/access/fields.ts'
import { invalid } from '../core/errors.ts'
import { enrolmentCommands } from '../core/hosts/enrolment-commands.ts'
import { enrolmentProblem, enrolmentWarning } from '../core/hosts/enrolment-warning.ts'
import { isReservedHostName, reservedHostName } from '../core/hosts/resolve-host.ts'
import { hostInUrl } from '../core/links/link-url.ts'
import type { Needs } from '../core/ports/ports.ts'
import { agentUpgradeStates } from '../core/records/host.ts'
import { flag, Time } from '../kit/params.ts'
import { acceptResponse } from '../kit/read-only.ts'

/** A host name that a user may choose. */
export const HostName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u,
    'must contain only letters, digits, spaces and . _ -, and begin with a letter or digit',
  )
  // Invisible characters would make two names look the same.
  .refine(
    (name) => !/\p{Default_Ignorable_Code_Point}/u.test(name),
    'must not contain invisible characters',
  )
  .describe('1 to 64 letters, digits, spaces or . _ -; not `all`, `local` or in the form of an id')

/**
 * Checks that a name means nothing else where requests name a host.
 *
 * @throws 400 if it does
 */
export function checkHostName(name: string, hostId?: string): void {
  if (isReservedHostName(name, hostId)) throw invalid(`body.name: ${reservedHostName}`)
}

/** The name or address at which users reach the published ports of a host. */
const HostAddress = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .refine(
    (text) => hostInUrl(text) !== undefined,
    'must be a name or an IP address, without a scheme and a port',
  )
  .transform((text) => hostInUrl(text) ?? text)
  .nullable()
  .meta({
    description:
      'The name or IP address at which users reach its published ports, for `links` of services. `null`: for the local host the one at which the service is reached, for others unknown',
    examples: ['192.168.1.20'],
  })

export const CreateHostBody = z
  .strictObject({
    name: HostName.describe('Name of the host, unique among hosts'),
    tags: ScopeTags.optional().describe('Tags, which the scope of accounts and tokens refers to'),
  })
  .meta({ id: 'CreateHostBody' })

export const RemoveHostQuery = z.object({
  force: flag.default(false).meta({
    description: 'Delete the host from the list, and forget the stacks in `stacks`',
  }),
  stacks: z
    .array(z.string().max(8192))
    .max(1000)
    .transform((texts) => [
      ...new Set(texts.flatMap((text) => text.split(',')).filter((name) => name !== '')),
    ])
    .optional()
    .meta({
      description:
        'With `force`: the names of all stacks on the host; repeatable, or in one as `a,b`',
    }),
})

export const EnrolmentQuery = z.object({
  replace: flag.default(false).meta({
    description: 'Let the new agent take the place of one that is connected',
  }),
})

export const HostPath = z.object({ id: z.string().min(1).max(128).describe('Id of the host') })

const Engine = z.object({
  version: z.string().describe('Version of the Docker Engine'),
  api_version: z.string().describe('Newest version of its API'),
  os: z.string().describe('Operating system, such as `linux`'),
  arch: z.string().describe('Architecture of the processor, such as `x86_64`'),
  cpus: z.int().describe('Number of processors'),
  memory: z.int().meta({ description: 'Bytes' }),
})

const Agent = z.object({
  version: z.string().nullable().describe('Version of the agent; `null` before it first connected'),
  is_outdated: z
    .boolean()
    .describe('It has another version than the service. `POST /hosts/upgrade` upgrades it'),
  upgrade: z
    .object({
      state: z
        .enum(agentUpgradeStates)
        .describe(
          '`waiting`: other agents come first, or a deployment, backup or restore runs on the host. `running`: it tries the new version. `succeeded`: it came back with it. `failed`: it did not. `skipped`: it did not begin, as another agent failed, or it was offline, or work ran on the host for an hour',
        ),
      id: z.string().describe('The same for all agents of one request'),
      to: z.string().describe('The new version'),
      at: Time.describe('When it came into this state'),
      error: z.string().nullable().describe('Why it failed or was skipped, otherwise null'),
    })
    .nullable()
    .describe('Its last upgrade that the service began; null if there was none'),
  certificate_expires_at: Time.nullable().describe(
    'When its certificate expires; it is renewed before. `null` before it is enrolled',
  ),
  last_seen_at: Time.nullable().meta({
    description: 'The current time while the host is connected',
  }),
})

const HostKind = z
  .enum(['local', 'agent'])
  .meta({ id: 'HostKind', description: 'What an Engine is reached by' })

export const Host = z
  .object({
    id: z.string().describe('Id of the host'),
    name: z.string().describe('Name of the host'),
    kind: HostKind.describe('The Engine of the service’s own machine, or an agent'),
    status: z
      .enum(['online', 'offline', 'pending', 'revoked'])
      .describe(
        '`pending`: its agent has not been enrolled. `revoked`: it may not connect any more',
      ),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the host cannot be used; null while it is online' }),
    warning: z
      .string()
      .nullable()
      .meta({ description: 'A problem of the host that does not keep it from being used' }),
    tags: z.array(z.string()).describe('Tags, which the scope of accounts and tokens refers to'),
    address: z.string().nullable().meta({
      description:
        'The name or IP address at which users reach its published ports; `null` if it was not set',
    }),
    engine: Engine.nullable().meta({ description: 'Null while the Engine does not respond' }),
    agent: Agent.nullable().meta({ description: 'Null for the local host' }),
    containers: z
      .object({
        running: z.int().describe('Containers that run'),
        total: z.int().describe('All containers'),
      })
      .nullable()
      .describe('Number of containers; `null` while the Engine does not respond'),
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
        warning: null,
        tags: [],
        address: '192.168.1.20',
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

export const UpdateHostBody = acceptResponse(
  z.strictObject({
    name: HostName.optional().describe('Name of the host, unique among hosts'),
    tags: ScopeTags.optional().describe('Tags, which the scope of accounts and tokens refers to'),
    address: HostAddress.optional(),
    kind: HostKind.optional().describe('The present kind: it cannot be changed'),
  }),
  Host,
).meta({ id: 'UpdateHostBody' })

export const Enrolment = z
  .object({
    token: z.string().meta({ description: 'Shown only once; valid for one agent' }),
    expires_at: Time.describe('When the token expires'),
    command: z.string().meta({ description: 'Run it as root on the host; needs curl and Node.js' }),
    program_command: z.string().meta({
      description:
        'The same with the package or the executable of the agent, which needs no Node.js on the host',
    }),
    container_command: z.string().meta({
      description: 'The same with the image of the service, which has to be on the host',
    }),
    warning: z.string().nullable().meta({
      description:
        'A warning if the address in `command` is a loopback address or uses plain HTTP; otherwise null',
    }),
    problem: z.string().nullable().meta({
      description:
        'Why `command` cannot work on another machine: the service is reached over a loopback address, and SERVICE_BASE_URL is not set; otherwise null',
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
        program_command:
          'AGENT_TOKEN=cse_4f6d1b0c9a2e container-stacks-agent enrol --server https://stacks.example.org && (systemctl restart container-stacks-agent || container-stacks-agent run)',
        container_command:
          'docker run --detach --name container-stacks-agent --env AGENT_SERVER=https://stacks.example.org --env AGENT_TOKEN=cse_4f6d1b0c9a2e container-stacks:0.1.0 container-stacks-agent run',
        warning: null,
        problem: null,
      },
    ],
  })

export const CreatedHost = z
  .object({
    host: Host.describe('The new host'),
    enrolment: Enrolment.describe('What its agent enrols with'),
  })
  .meta({ id: 'CreatedHost' })

/** Returns an enrolment in the API's form, for the request with these headers. */
export function showEnrolment(
  { token, expiresAt }: { token: string; expiresAt: number },
  { addresses, site }: Needs<'addresses' | 'site'>,
  headers: Record<string, string | undefined>,
): z.input<typeof Enrolment> {
  const base = addresses.base(headers)
  const commands = enrolmentCommands(base, token)
  const warning = enrolmentWarning(base)
  const problem = enrolmentProblem(base, site.baseUrl)
  return { token, expires_at: new Date(expiresAt).toISOString(), ...commands, warning, problem }
}
