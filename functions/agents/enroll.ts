import { z } from 'zod'
import { enrolAgent } from '../core/hosts/enrol.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { unsignedBodyLimit } from '../kit/params.ts'

const Body = z
  .strictObject({
    token: z.string().min(1).max(256).describe('Token of the enrolment'),
    csr: z
      .string()
      .min(1)
      .max(8192)
      .meta({ description: 'A PEM certificate signing request for a P-256 key' }),
    agent_version: z.string().max(64).describe('Version of the agent'),
    hostname: z.string().max(253).describe('Host name of the machine'),
  })
  .meta({ id: 'EnrollBody' })

const Enrolled = z
  .object({
    host_id: z.string().describe('Id of the host'),
    certificate: z
      .string()
      .meta({ description: 'PEM, valid for 30 days; the agent renews it automatically' }),
    ca: z.string().meta({
      description: 'PEM of the certificate authority; its SHA-256 is the second half of the token',
    }),
    endpoint: z.string().meta({ description: 'host:port that the agent dials' }),
  })
  .meta({ id: 'Enrolled' })

export default endpoint({
  summary: 'Enrol an agent',
  description:
    'Called by the agent program. It generates a key, which never leaves its machine, and exchanges a one-time token for a certificate.',
  access: 'public',
  atService: true,
  body: Body,
  returns: Enrolled,
  status: 201,
  bodyLimit: unsignedBodyLimit,
  errors: {
    401: 'The token is unknown, used, expired or replaced by a newer one',
    404: 'The host no longer exists',
    409: 'The host was revoked',
  },

  async run({ body, request, note }, ports: Ports) {
    const { host, certificate } = await enrolAgent(body.token, body.csr, ports)
    note({ subject: { kind: 'hosts', id: host.id, name: host.name } })
    const { agent_version: version, hostname } = body
    ports.log.info('an agent was enrolled', { host: host.id, hostname, version, ip: request.ip })
    return {
      host_id: host.id,
      certificate,
      ca: await ports.authority.certificate(),
      endpoint: ports.addresses.agents(request.headers),
    }
  },
})

type Ports = Needs<'hosts' | 'enrolments' | 'authority' | 'addresses' | 'log'>
