import { hasProposals, type Update, updateStates } from '../../data/newer-images.ts'

/** The filter of the list, as in the address. */
export interface UpdateFilter {
  text: string
  state: Update['state'] | 'proposed' | 'all'
  next: 'any' | 'automatic' | 'by_hand'
}

const filterStates = [...updateStates, 'proposed', 'all'] as const

/** Returns the state that a word of the address stands for: what is newer, if it is none. */
export const stateOf = (word: string): UpdateFilter['state'] =>
  filterStates.find((state) => state === word) ?? 'newer'

/** Returns whether a service matches the filter. Each word must be in one of its names. */
export function isShown(update: Update, { text, state, next }: UpdateFilter): boolean {
  if (!isIn(update, state) || !hasNextIn(update, next)) return false
  const { stack, service, image, host_name } = update
  const searched = `${stack} ${service} ${image} ${host_name}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

/** Returns the next step that a word of the address stands for: any, if it is none. */
export const nextOf = (word: string): UpdateFilter['next'] =>
  nextChoices.find((choice) => choice === word) ?? 'any'

export const nextChoices = ['automatic', 'by_hand'] as const

/** Returns whether what happens next with the image of a service is of a kind. */
export function hasNextIn({ next: { kind } }: Update, next: UpdateFilter['next']): boolean {
  if (next === 'any') return true
  return next === 'by_hand' ? kind === next : ['planned', 'due', 'watched'].includes(kind)
}

function isIn(update: Update, state: UpdateFilter['state']): boolean {
  if (state === 'all') return true
  return state === 'proposed' ? hasProposals(update) : state === update.state
}
