import { hasChanges } from '../../data/has-changes.ts'
import type { NewerCounts } from '../../data/newer-images.ts'
import { stackWord } from '../../data/stack-words.ts'
import type { HostName } from '../../host-ids.ts'
import type { Stack } from './stack-columns.tsx'

/** The filter of the list, as in the address. An empty field matches every stack. */
export interface StackFilter {
  text: string
  state: string
  /** The id or the name of a host. */
  host: string
}

/** What is known of a stack beside its record. */
export interface Beside {
  hostName: HostName
  newer: NewerCounts
}

/** The states of the choice `wrong`: those that need a person. */
const wrong: readonly string[] = ['failed', 'partial', 'unknown']

function isIn(stack: Stack, state: string, newer: NewerCounts): boolean {
  if (state === 'wrong') return wrong.includes(stack.status)
  if (state === 'changed') return hasChanges(stack) || stack.variables_changed
  if (state === 'newer') return newer.has(stack.name)
  return state === '' || state === stackWord(stack)
}

/** Returns whether a stack matches the filter. Each word of `text` must be in its name or host. */
export function matchesFilter(
  stack: Stack,
  { hostName, newer }: Beside,
  { text, state, host: wanted }: StackFilter,
): boolean {
  const { name, host } = stack
  if (wanted && wanted !== host && wanted !== hostName) return false
  if (!isIn(stack, state, newer)) return false
  const searched = `${name} ${hostName}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
