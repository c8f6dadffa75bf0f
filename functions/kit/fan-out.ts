import { z } from 'zod'
import type { FanOut } from '../core/hosts/fan-out.ts'
import { capped, Reply } from './reply.ts'

const UnreachableHost = z
  .object({
    host_id: z.string().meta({ examples: ['local'] }),
    error: z.string().meta({ description: 'Why it could not be asked' }),
  })
  .meta({ id: 'UnreachableHost', description: 'A host that is missing from the list, and why' })

/** The shape of a list over hosts: a bare array for one host, a FanOutResponse for `host=all`. */
export function overHostsSchema<T extends z.ZodType>(item: T, cap: number) {
  return z.union([
    z.array(item).max(cap),
    z.object({
      items: z.array(item).max(cap),
      unreachable_hosts: z.array(UnreachableHost).max(500),
    }),
  ])
}

/** The answer of such a list, cut at its cap. */
export function overHosts<T>(found: readonly T[] | FanOut<T>, cap: number) {
  if (Array.isArray(found)) return capped(found as readonly T[], cap)
  const all = found as FanOut<T>
  if (all.items.length <= cap) return all
  return new Reply(
    { ...all, items: all.items.slice(0, cap) },
    { headers: { 'X-Result-Truncated': 'true' } },
  )
}
