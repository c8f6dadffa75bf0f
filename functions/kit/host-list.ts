import { z } from 'zod'
import { type FanOut, listOverHosts, viewList } from '../core/hosts/fan-out.ts'
import type { HostFields } from '../core/hosts/host-fields.ts'
import type { Engine } from '../core/ports/engine.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Host } from '../core/records/host.ts'
import type { Permission } from '../core/records/permissions.ts'
import { endpoint } from './endpoint.ts'
import { HostsQuery } from './params.ts'
import { capped, Reply } from './reply.ts'

/** The maximum number of entries that a list over hosts returns. */
const cap = 1000

/** The hosts that are missing from a list over hosts. */
export const unreachable_hosts = z
  .array(
    z
      .object({
        host_id: z.string().describe('Id of the host'),
        host_name: z.string().describe('Name of the host'),
        error: z.string().describe('Why the host did not answer'),
      })
      .meta({
        id: 'UnreachableHost',
        description: 'A host that is missing from the list, with the reason',
      }),
  )
  .max(500)
  .describe('The hosts that did not answer')

/**
 * Makes an endpoint that lists one kind of resource: a bare array for one host, a FanOutResponse
 * for `host=all`. `view` converts an item from the Engine's form to the API's.
 */
export function hostList<
  S,
  T extends z.ZodType,
  Q extends z.ZodObject<typeof HostsQuery.shape> = typeof HostsQuery,
>(spec: {
  summary: string
  description: string
  access: Permission
  item: T
  query?: Q
  /** Milliseconds for a host, if its answer takes longer than that of other lists. */
  deadline?: number
  list(engine: Engine, query: z.output<Q>): Promise<readonly S[]>
  view(item: S, hostFields: HostFields): z.input<T>
}) {
  const view = viewList<S, z.input<T>>(spec.view)
  const items = z.array(spec.item).max(cap)
  return endpoint({
    summary: spec.summary,
    description: spec.description,
    access: spec.access,
    atService: true,
    ...(spec.deadline !== undefined && { noTimeout: true, limitsCaller: true }),
    query: (spec.query ?? HostsQuery) as Q,
    returns: z.union([
      items,
      z.object({ items: items.describe('What the other hosts have'), unreachable_hosts }),
    ]),
    errors: { 404: 'No host has that id or name' },

    async run({ query, caller }, ports: Needs<'hosts' | 'engines' | 'clock'>) {
      const list = (engine: Engine) => spec.list(engine, query as z.output<Q>)
      const read = async (engine: Engine, host: Host) => view(await list(engine), host)
      const found = await listOverHosts(query.host, caller, ports, read, spec.deadline)
      // biome-ignore lint/suspicious/noExplicitAny: a union of generic schemas has no known input
      return cappedOverHosts(found, cap) as any
    },
  })
}

/** Returns a list over hosts with at most `cap` entries, and with a header if there were more. */
export function cappedOverHosts<T>(found: readonly T[] | FanOut<T>, cap: number) {
  if ('items' in found) {
    if (found.items.length <= cap) return found
    const headers = { 'X-Result-Truncated': 'true' }
    return new Reply({ ...found, items: found.items.slice(0, cap) }, { headers })
  }
  return capped(found, cap)
}
