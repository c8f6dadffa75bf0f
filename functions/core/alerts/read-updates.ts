import { matchesAny } from '../glob.ts'
import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { AlertMetric, AlertRule } from '../records/alert-rule.ts'
import type { Host } from '../records/host.ts'
import type { StackRecord } from '../records/stack.ts'
import { type KnownLooks, updatesOf } from '../updates/list-updates.ts'
import type { PolicyOf } from '../updates/policy-of.ts'
import { serviceImages } from '../updates/service-images.ts'
import { type StackUpdates, updatesByStack } from '../updates/stack-updates.ts'
import { hostImages } from '../updates/used-tags.ts'

const updateMetrics: ReadonlySet<AlertMetric> = new Set([
  'updates_available',
  'update_checks_failed',
])

/** Returns whether a rule needs to know which newer images there are for a host. */
export const needsUpdates = (rules: readonly AlertRule[], { id, name }: Host): boolean =>
  rules.some(
    ({ enabled, metric, match }) =>
      enabled && updateMetrics.has(metric) && matchesAny(match.hosts, name, id),
  )

/**
 * Returns what is known of newer images for stacks of a host, by the name of the stack; undefined
 * if the host does not respond. It asks no registry.
 */
export async function readUpdates(
  host: Host,
  stacks: readonly StackRecord[],
  { known, policyOf }: { known: KnownLooks; policyOf: PolicyOf },
  ports: Needs<'engines' | 'clock' | 'hosts'>,
): Promise<ReadonlyMap<string, StackUpdates> | undefined> {
  const found = await callHost(host.id, ports, hostImages).catch(ignoreFailure('list images'))
  if (!found) return undefined
  const updates = updatesOf(host, serviceImages(stacks, found, policyOf), known)
  return new Map(updatesByStack(updates).map((one) => [one.stack, one]))
}
