import type { Collection } from '../collection.ts'
import type { PlanAnswer, PlanQuestion } from '../compose/plan/question.ts'
import type { ComposeInput, LoadedProject } from '../compose/project.ts'
import type { Deployment, ServiceExpectation, StackRecord } from './stack.ts'

export type Stacks = Collection<StackRecord>

export interface Deployments {
  find(stack: string, id: string): Promise<Deployment | undefined>
  /** Newest first. */
  listByStack(stack: string, limit: number): Promise<Deployment[]>
  create(deployment: Deployment): Promise<void>
  /**
   * Replaces the whole record. Returns false, and changes nothing, if the record was removed or was
   * written under a later lease: a larger `fence`.
   */
  save(deployment: Deployment): Promise<boolean>
  /** Those with status `running`, of any process, alive or not. One that began this very moment may be missing. */
  listRunning(): Promise<Deployment[]>
  removeByStack(stack: string): Promise<void>
  /** The ids of all of a stack, newest first. */
  listIds(stack: string): Promise<string[]>
  /** Removes a deployment that is not running. Returns false if it is running or does not exist. */
  removeEnded(stack: string, id: string): Promise<boolean>
}

/** Texts under a digest of their content (64 hex digits), compressed, and encrypted with a key outside the store. */
export interface Texts {
  put(text: string): Promise<string>
  /** Throws a `Failure` 500 for a digest that is not there. */
  get(digest: string): Promise<string>
}

/**
 * Reads and plans projects away from the event loop, each question within 1.5 s and a bounded
 * amount of memory. Throws a `Failure`: 422 for what is wrong with a project and for one that takes
 * too much, 403 for one that reaches further than it may, 500 if too many questions wait.
 */
export interface Composer {
  /** Returns the project that the texts of a stack describe. */
  load(input: ComposeInput): Promise<LoadedProject>
  /**
   * Loads each of these inputs, which differ in their overlay alone, within the time of one
   * question, and returns what is expected of the first one's services.
   */
  check(inputs: readonly ComposeInput[]): Promise<Record<string, ServiceExpectation>>
  /** Returns the plan that follows from a project and from what is on its host. */
  plan(question: PlanQuestion): Promise<PlanAnswer>
  /** Returns a composer that queues its questions under this caller: callers take turns. */
  onBehalfOf(caller: string): Composer
}
