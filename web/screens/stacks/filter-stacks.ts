import { hasChanges } from '../../data/has-changes.ts'
import type { Stack } from './stack-columns.tsx'

/** What the list is filtered by, as in the address. Empty is anything. */
export interface StackFilter {
  text: string
  state: string
  host: string
}

/** `wrong` is every state that needs a person. */
const wrong: readonly string[] = ['failed', 'partial', 'unknown']

function isIn(stack: Stack, state: string): boolean {
  if (state === 'wrong') return wrong.includes(stack.status)
  if (state === 'changed') return hasChanges(stack)
  return state === '' || state === stack.status
}

/** Returns whether a stack passes the filter: each word is in its name or its host. */
export function passes(
  stack: Stack,
  hostName: string,
  { text, state, host: wanted }: StackFilter,
): boolean {
  const { name, host } = stack
  if (wanted && wanted !== host && wanted !== hostName) return false
  if (!isIn(stack, state)) return false
  const searched = `${name} ${hostName}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
