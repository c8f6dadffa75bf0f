import { z } from 'zod'
import { requireEveryHost } from '../core/access/grant.ts'
import { beginUpgrade } from '../core/agent-upgrades/begin-upgrade.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'

const exampleId = '01977d3c-7a00-7000-8000-000000000009'

export default endpoint({
  summary: 'Upgrade agents',
  description:
    'Sends the program of this service to agents with another version: to one first, then to a tenth of them, then to all others. ' +
    'An agent tries the new version beside its own, which stays if the new one does not connect. An agent that is not back within 5 minutes stops the rest. An agent waits while a deployment, backup or restore runs on its host. ' +
    'The response does not wait: `agent.upgrade` of each host says how it goes. Agents of a package, in a container or without systemd are upgraded in their own way.',
  access: 'hosts:manage',
  body: z
    .strictObject({
      hosts: z
        .array(z.string().min(1).max(255))
        .min(1)
        .max(1000)
        .optional()
        .describe('Ids or names of hosts; without it, all with an agent that can be upgraded'),
    })
    .meta({ id: 'UpgradeAgentsBody', examples: [{ hosts: ['nas'] }] }),
  returns: z
    .object({
      upgrade_id: z
        .string()
        .nullable()
        .describe('Id that `agent.upgrade` of these hosts has; null if there is nothing to do'),
      agents: z.int().describe('How many agents are upgraded'),
      skipped: z
        .array(
          z.object({
            host_id: z.string().describe('Id of the host'),
            host_name: z.string().describe('Name of the host'),
            reason: z.string().describe('Why, and mostly what to do instead'),
          }),
        )
        .max(10_000)
        .describe(
          'Hosts whose agent is not upgraded. Without `hosts`, those whose agent has another version, or is offline',
        ),
    })
    .meta({
      id: 'BegunUpgrade',
      examples: [
        {
          upgrade_id: exampleId,
          agents: 3,
          skipped: [{ host_id: 'nas', host_name: 'nas', reason: 'its agent is offline' }],
        },
      ],
    }),
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'No host has that id or name',
    409: 'An upgrade is in progress, or the agents of the named hosts cannot be upgraded from here',
  },

  async run({ body, caller }, ports: Needs<'hosts' | 'hostConnections' | 'random' | 'clock'>) {
    requireEveryHost(caller, 'hosts')
    const { id, hosts, skipped } = await beginUpgrade(body.hosts, ports)
    return {
      upgrade_id: hosts.length > 0 ? id : null,
      agents: hosts.length,
      skipped: skipped.map(({ host, reason }) => ({
        host_id: host.id,
        host_name: host.name,
        reason,
      })),
    }
  },
})
