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
  /**
   * Returns all deployments with status `running`, whether or not their process is alive. One that
   * began at this moment may be missing.
   */
  listRunning(): Promise<Deployment[]>
  removeByStack(stack: string): Promise<void>
  /** Returns the ids of all deployments of a stack, newest first. */
  listIds(stack: string): Promise<string[]>
  /** Removes a deployment that is not running. Returns false if it is running or does not exist. */
  removeEnded(stack: string, id: string): Promise<boolean>
}

/**
 * Texts by the digest of their content (64 hex digits), compressed, and encrypted with a key
 * outside the store.
 */
export interface Texts {
  put(text: string): Promise<string>
  /** @throws 500 if there is no text with this digest */
  get(digest: string): Promise<string>
}

/**
 * Loads and plans projects in a worker thread, each question within 1.5 s and a bounded amount of
 * memory.
 *
 * @throws 422 if a project is invalid or takes too much time or memory, 403 if it accesses more
 *   than it may, 500 if too many questions wait
 */
export interface Composer {
  /** Returns the project that the texts of a stack describe. */
  load(input: ComposeInput): Promise<LoadedProject>
  /**
   * Loads each of these inputs, which differ only in their overlay, within the time limit of one
   * question. Returns what is expected of the services of the first one.
   */
  check(inputs: readonly ComposeInput[]): Promise<Record<string, ServiceExpectation>>
  /** Returns the plan for a project and the current state of its host. */
  plan(question: PlanQuestion): Promise<PlanAnswer>
  /** Returns a composer that queues its questions under this caller; callers take turns. */
  onBehalfOf(caller: string): Composer
}
