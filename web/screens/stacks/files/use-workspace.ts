import { can } from '../../../data/session.ts'
import { useValidation, type Validation } from '../../../data/validate-stack.ts'
import type { StackDetails } from './stack.ts'
import type { Workspace } from './workspace.ts'

/** Checks the stored files with the edits over them. */
export function useChecked({ name, revision }: StackDetails, { edits }: Workspace): Validation {
  const sent = [...edits.value].map(([path, { text }]) => [path, { content: text }] as const)
  const body = { stack: name, revision, files: Object.fromEntries(sent) }
  return useValidation(can('stacks:create') ? body : undefined)
}
