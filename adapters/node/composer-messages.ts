import type { ComposeInput, LoadedProject } from '../../functions/core/compose/project.ts'
import type { FailureStatus } from '../../functions/core/errors.ts'

/** What the composer asks its worker. */
export interface ComposerQuestion {
  input: ComposeInput
}

/** What the worker says: `ready` once, then one answer to each question. */
export type ComposerAnswer =
  | { kind: 'ready' }
  | { kind: 'loaded'; loaded: LoadedProject }
  | { kind: 'failed'; status: FailureStatus; message: string }
  | { kind: 'broken'; reason: string }
