import type { PlanAnswer, PlanQuestion } from '../../functions/core/compose/plan/question.ts'
import type { ComposeInput, LoadedProject } from '../../functions/core/compose/project.ts'
import type { FailureStatus } from '../../functions/core/errors.ts'
import type { ServiceExpectation } from '../../functions/core/stacks/stack.ts'

/** A question for the composer's worker. */
export type ComposerQuestion =
  | { kind: 'load'; input: ComposeInput }
  | { kind: 'check'; inputs: readonly ComposeInput[] }
  | { kind: 'plan'; question: PlanQuestion }

/** A message of the worker: `ready` once, then one answer to each question. */
export type ComposerAnswer =
  | { kind: 'ready' }
  | { kind: 'loaded'; loaded: LoadedProject }
  | { kind: 'checked'; services: Record<string, ServiceExpectation> }
  | { kind: 'planned'; answer: PlanAnswer }
  | { kind: 'failed'; status: FailureStatus; message: string }
  | { kind: 'broken'; reason: string }
