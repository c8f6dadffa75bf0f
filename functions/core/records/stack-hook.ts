import type { Hook } from './hook.ts'

/** A web address of a stack: a request to it with the right secret deploys the stack. */
export interface StackHook extends Hook {
  lastDeployment: HookDeployment | null
}

/** What followed a request with the right secret. Times are milliseconds since the epoch. */
export interface HookDeployment {
  at: number
  /** Null if none began. */
  deploymentId: string | null
  /** Why none began, as a sentence without a full stop; otherwise null. */
  error: string | null
}
