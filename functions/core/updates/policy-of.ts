import type { Needs } from '../ports/ports.ts'
import type { Host } from '../records/host.ts'
import type { StackRecord } from '../records/stack.ts'
import type { InheritedPolicy, UpdatePolicy } from '../records/update-policy.ts'

export const policySources = ['stack', 'tag', 'default', 'none'] as const

/** What happens with newer images of a stack, and where that was saved. */
export interface ResolvedPolicy extends UpdatePolicy {
  /** `default`: for all stacks. `none`: nowhere. */
  source: (typeof policySources)[number]
  /** The tag of the host; null unless it was saved for a tag. */
  tag: string | null
}

/** Returns what happens with newer images of a stack. */
export type PolicyOf = (
  stack: Pick<StackRecord, 'hostId' | 'updatePolicy' | 'blockedUpdates'>,
) => ResolvedPolicy

/** The ID of the policy of all stacks, and how that of a tag begins. */
export const defaultId = 'default'
export const tagPrefix = 'tag:'

/** The policy of a stack for which none was saved anywhere. */
const noPolicy: ResolvedPolicy = {
  mode: 'notify',
  window: null,
  minimumAgeHours: 72,
  except: [],
  source: 'none',
  tag: null,
}

/** Reads the policies that stacks inherit. */
export async function readPolicies({
  updatePolicies,
  hosts,
}: Needs<'updatePolicies' | 'hosts'>): Promise<PolicyOf> {
  const inherited = await updatePolicies.list()
  return resolvePolicies(inherited, inherited.length > 0 ? await hosts.list() : [])
}

/**
 * Returns a function that resolves policies: that of a stack comes first, then that of a tag of its
 * host, then that of all stacks. The most careful policy of several tags counts.
 */
export function resolvePolicies(
  inherited: readonly InheritedPolicy[],
  hosts: readonly Pick<Host, 'id' | 'tags'>[],
): PolicyOf {
  const byId = new Map(inherited.map((policy) => [policy.id, policy]))
  const tagsOf = new Map(hosts.map(({ id, tags }) => [id, tags]))
  return ({ hostId, updatePolicy, blockedUpdates = null }) => {
    if (updatePolicy) return { ...updatePolicy, source: 'stack', tag: null }
    const ofTags = (tagsOf.get(hostId) ?? []).flatMap((tag) => byId.get(tagPrefix + tag) ?? [])
    const found = ofTags.sort(byCare)[0] ?? byId.get(defaultId)
    if (!found) return noPolicy
    const { id, actsAs, createdAt: _, ...terms } = found
    return {
      ...terms,
      except: [],
      ...(actsAs && { actsAs: { ...actsAs, blocked: blockedUpdates } }),
      source: id === defaultId ? 'default' : 'tag',
      tag: id === defaultId ? null : id.slice(tagPrefix.length),
    }
  }
}

const byMode = ['off', 'notify', 'apply'] as const

/** Sorts the most careful policy first: it does less, later, or within a window. */
const byCare = (one: InheritedPolicy, other: InheritedPolicy): number =>
  byMode.indexOf(one.mode) - byMode.indexOf(other.mode) ||
  other.minimumAgeHours - one.minimumAgeHours ||
  Number(one.window === null) - Number(other.window === null) ||
  (one.id < other.id ? -1 : 1)
