import type { Collection } from '../collection.ts'
import type { ComposeInput, LoadedProject } from '../compose/project.ts'
import type { Deployment, ServiceExpectation, StackRecord } from './stack.ts'

export type Stacks = Collection<StackRecord>

export interface Deployments {
  find(stack: string, id: string): Promise<Deployment | undefined>
  /** Newest first. */
  listByStack(stack: string, limit: number): Promise<Deployment[]>
  create(deployment: Deployment): Promise<void>
  /** Replaces the record whole: the writer holds the stack's lease. Does nothing when it was removed. */
  save(deployment: Deployment): Promise<void>
  /** Those with status `running`, of any process, alive or not. One that began this very moment may be missing. */
  listRunning(): Promise<Deployment[]>
  removeByStack(stack: string): Promise<void>
}

/** Texts under a digest of their content (64 hex digits), compressed, and encrypted with a key outside the store. */
export interface Texts {
  put(text: string): Promise<string>
  /** Throws a `Failure` 500 for a digest that is not there. */
  get(digest: string): Promise<string>
}

/**
 * Turns the texts of a stack into a project, away from the event loop and within 1.5 s. Throws a `Failure`: 422, or 403
 * for a project that reaches further than it may.
 */
export interface Composer {
  load(input: ComposeInput): Promise<LoadedProject>
  /** Loads each of these, which differ in their overlay alone, within that time together, and gives what is expected of the first one's services. */
  check(inputs: readonly ComposeInput[]): Promise<Record<string, ServiceExpectation>>
}
