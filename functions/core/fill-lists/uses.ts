/** The settings that list what may be used or entered without a right to it. */
export const usedLists = [
  'stacks.shared_volumes',
  'stacks.shared_networks',
  'stacks.enterable_binds',
] as const

/** What was used before it needed a right: setting → entries. */
export type Uses = Record<(typeof usedLists)[number], Set<string>>

export const noUses = (): Uses => ({
  'stacks.shared_volumes': new Set(),
  'stacks.shared_networks': new Set(),
  'stacks.enterable_binds': new Set(),
})
