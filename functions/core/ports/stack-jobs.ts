import type { StackJob } from '../records/stack-job.ts'
import type { Collection } from './collection.ts'

/** The jobs of stacks, by `<stack>.<name>`, encrypted at rest: a command can contain a secret. */
export type StackJobs = Collection<StackJob>
