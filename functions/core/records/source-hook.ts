import type { Hook } from './hook.ts'

/** A web address of a source: a request to it with the right secret has the source looked at. */
export interface SourceHook extends Hook {
  /** When the source was made: one with this name that was made later is another one. */
  sourceCreatedAt: number
  lastLook: HookLook | null
}

/** What followed a request with the right secret. Times are milliseconds since the epoch. */
export interface HookLook {
  at: number
  /** Why the source was not seen, as a sentence without a full stop; null if it was. */
  error: string | null
}
