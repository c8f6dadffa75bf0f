import type { components } from './api.types.ts'

export type InheritedPolicy = components['schemas']['InheritedUpdatePolicy']

/** The policy of all stacks, as `of` names it. */
export const ofAllStacks = 'default'

/** What holds for all stacks until a policy is saved for them. */
export const preset: InheritedPolicy = {
  of: ofAllStacks,
  mode: 'notify',
  window: null,
  minimum_age_hours: 72,
  watch_minutes: null,
  acts_as: null,
  blocked: null,
}

const tagPrefix = 'tag:'

/** Returns how `of` names the policy of hosts with a tag. */
export const ofTag = (tag: string): string => tagPrefix + tag

/** Returns the tag of the hosts that a policy is for, or null if it is for all stacks. */
export const tagOf = (of: string): string | null =>
  of.startsWith(tagPrefix) ? of.slice(tagPrefix.length) : null
