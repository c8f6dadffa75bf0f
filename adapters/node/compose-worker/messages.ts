import type { DiagnoseOptions } from '../../../functions/compose/diagnose/diagnose.ts'
import type { Diagnosis } from '../../../functions/compose/diagnose/diagnosis.ts'
import type { LoadedProject } from '../../../functions/compose/load/loaded-project.ts'
import type {
  ChangedFields,
  ChangeQuestion,
} from '../../../functions/compose/plan/compare/explain-changes.ts'
import type { PlanRequest, PlanResult } from '../../../functions/compose/plan/plan-request.ts'
import type { ComposeInput } from '../../../functions/compose/project.ts'
import type {
  Publication,
  PublicationOptions,
} from '../../../functions/compose/publish/publication.ts'
import type { SecretUse } from '../../../functions/compose/show/secret-uses.ts'
import type { TreeMap } from '../../../functions/compose/yaml/tree.ts'
import type { FailureStatus, Reason } from '../../../functions/core/errors.ts'
import type { CheckedProject } from '../../../functions/core/ports/composer.ts'
import type { TextPair } from '../../../functions/core/records/text-pair.ts'

/** A question for the composer's worker. */
export type ComposerQuestion =
  | { kind: 'load'; input: ComposeInput }
  | { kind: 'check'; inputs: readonly ComposeInput[] }
  | { kind: 'diagnose'; inputs: readonly ComposeInput[]; options: DiagnoseOptions }
  | { kind: 'resolve'; input: ComposeInput; options: { showsValues: boolean } }
  | { kind: 'publication'; input: ComposeInput; options: PublicationOptions }
  | { kind: 'secret-uses'; inputs: readonly ComposeInput[] }
  | { kind: 'plan'; question: PlanRequest }
  | { kind: 'explain'; question: ChangeQuestion }
  | { kind: 'diff'; pairs: readonly TextPair[] }

/** A message of the worker: `ready` once, then one answer to each question. */
export type ComposerAnswer =
  | { kind: 'ready' }
  | { kind: 'loaded'; loaded: LoadedProject }
  | { kind: 'checked'; checked: CheckedProject }
  | { kind: 'diagnosed'; diagnosis: Diagnosis }
  | { kind: 'resolved'; model: TreeMap }
  | { kind: 'publishable'; publication: Publication }
  | { kind: 'uses-found'; uses: SecretUse[] }
  | { kind: 'planned'; answer: PlanResult }
  | { kind: 'explained'; fields: ChangedFields }
  | { kind: 'diffed'; diffs: (string | null)[] }
  | { kind: 'unread'; paths: readonly string[] }
  | { kind: 'failed'; status: FailureStatus; message: string; reason: Reason | undefined }
  | { kind: 'broken'; reason: string }
