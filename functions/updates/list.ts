import { z } from 'zod'
import { instant, instantOrNull } from '../core/access/fields.ts'
import { updateStates } from '../core/updates/judge-update.ts'
import { listUpdates, type ShownUpdate, type UpdatePorts } from '../core/updates/list-updates.ts'
import { endpoint } from '../kit/endpoint.ts'
import { cappedOverHosts, unreachable_hosts } from '../kit/host-list.ts'
import { HostsQuery, StackName } from '../kit/params.ts'
import { Update } from './schema.ts'

const updatesMax = 1000
const items = z.array(Update).max(updatesMax)

export default endpoint({
  summary: 'List newer images',
  description:
    'The services of stacks, sorted by stack and service, and whether the registry of each image has a newer one under the same tag. ' +
    'Registries are asked on a schedule (setting `updates.check_hours`), each tag once for all stacks and hosts; this request asks none. ' +
    'This request pulls nothing: `next` says what happens with what is newer. A deploy with `pull: always` takes it now.',
  access: 'stacks:read',
  atService: true,
  query: HostsQuery.extend({
    stack: StackName.optional().describe(
      'Only the services of this stack, on whatever host it is; `host` is ignored',
    ),
    state: z.enum(updateStates).optional().describe('Only services in this state'),
  }),
  returns: z.union([
    items,
    z.object({ items: items.describe('What the other hosts have'), unreachable_hosts }),
  ]),
  errors: { 404: 'No host has that id or name, or there is no such stack' },

  async run({ query, caller }, ports: UpdatePorts) {
    const found = await listUpdates(query, caller, ports)
    const shown = 'items' in found ? { ...found, items: found.items.map(view) } : found.map(view)
    return cappedOverHosts(shown, updatesMax)
  },
})

const view = ({
  service,
  host,
  status,
  newerTags,
  checkedAt,
  nextAt,
  next,
}: ShownUpdate): z.input<typeof Update> => ({
  stack: service.stack,
  service: service.service,
  image: service.reference,
  host_id: host.id,
  host_name: host.name,
  state: status.state,
  reason: status.reason,
  running: (service.used ?? []).map(({ id }) => id),
  newer: status.newer && {
    digest: status.newer.digest,
    seen_at: instant(status.newer.seenAt),
  },
  source_url: status.newer?.source ?? null,
  newer_tags: [...newerTags],
  checked_at: instantOrNull(checkedAt),
  next_check_at: instantOrNull(nextAt),
  next: {
    kind: next.kind,
    at: 'at' in next ? instant(next.at) : null,
    reason: 'reason' in next ? next.reason : null,
  },
})
