import type { DiagnoseOptions } from '../../compose/diagnose/diagnose.ts'
import type { Diagnosis } from '../../compose/diagnose/diagnosis.ts'
import type { LoadedProject } from '../../compose/load/loaded-project.ts'
import type { ChangedFields, ChangeQuestion } from '../../compose/plan/compare/explain-changes.ts'
import type { PlanRequest, PlanResult } from '../../compose/plan/plan-request.ts'
import type { ComposeInput } from '../../compose/project.ts'
import type { Publication, PublicationOptions } from '../../compose/publish/publication.ts'
import type { SecretUse } from '../../compose/show/secret-uses.ts'
import type { TreeMap } from '../../compose/yaml/tree.ts'
import type { ServiceExpectation } from '../records/stack.ts'
import type { TextPair } from '../records/text-pair.ts'

/** What a check of a stack's files returns. */
export interface CheckedProject {
  /** What is expected of each service without an overlay. */
  services: Record<string, ServiceExpectation>
  /** The paths that any of the loads calls secret; see `LoadedProject`. */
  secretFiles: string[]
  /** The paths of the files that any of the loads read as compose files. */
  composeFiles: string[]
}

/**
 * Loads and plans projects in a worker process, each question within 1.5 s and a bounded amount of
 * memory.
 *
 * Work in the background, such as a schedule, waits for its turn as long as necessary; callers have
 * a composer of `onBehalfOf`.
 *
 * @throws 422 if a project is invalid or takes too much time or memory, 403 if it accesses more
 *   than it may, 500 if too many questions of callers wait or the service stops
 */
export interface Composer {
  /**
   * Returns the project that the texts of a stack describe.
   *
   * @throws UnreadFiles if it needs files of `input.unread`
   */
  load(input: ComposeInput): Promise<LoadedProject>
  /**
   * Loads each of these inputs, which differ only in their overlay, within the time limit of one
   * question. The services are those of the first one.
   *
   * @throws UnreadFiles as `load`
   */
  check(inputs: readonly ComposeInput[]): Promise<CheckedProject>
  /**
   * Returns all problems of inputs that differ only in their overlay.
   *
   * @throws UnreadFiles as `load`
   */
  diagnose(inputs: readonly ComposeInput[], options: DiagnoseOptions): Promise<Diagnosis>
  /**
   * Returns the model to show, with or without values.
   *
   * @throws UnreadFiles as `load`
   */
  resolve(input: ComposeInput, options: { showsValues: boolean }): Promise<TreeMap>
  /**
   * Returns a project as it is published; see `publication`.
   *
   * @throws UnreadFiles as `load`
   */
  publication(input: ComposeInput, options: PublicationOptions): Promise<Publication>
  /**
   * Returns where inputs, which differ only in their overlay, show values of their secret files.
   *
   * @throws UnreadFiles as `load`
   */
  secretUses(inputs: readonly ComposeInput[]): Promise<SecretUse[]>
  /** Returns the plan for a project and the current state of its host. */
  plan(question: PlanRequest): Promise<PlanResult>
  /** Returns which fields of services changed since their containers were created. */
  explain(question: ChangeQuestion): Promise<ChangedFields>
  /**
   * Returns the unified diff of each file, or null if it is longer than 1 MiB. Takes at most a
   * fifth of a second for each.
   */
  diff(pairs: readonly TextPair[]): Promise<(string | null)[]>
  /** Returns a composer that queues its questions under this caller; callers take turns. */
  onBehalfOf(caller: string): Composer
  /**
   * Returns a composer for work of the same caller that continues after the response: its questions
   * wait for as long as necessary.
   */
  inBackground(): Composer
}
