import type { Saver } from './stack-files.ts'

/**
 * Variables that the compose files of several stacks can use. All of it is stored encrypted. Times
 * are milliseconds since the epoch.
 */
export interface VariableSet {
  /** Its name. */
  id: string
  /** Tags of the hosts whose stacks may take it; empty for every host. */
  tags: string[]
  /** By name. */
  variables: Record<string, SetVariable>
  createdAt: number
  /** When a user last changed it. */
  updatedAt: number
  /** When its variables last changed. No two states of a set have the same one. */
  changedAt: number
}

export interface SetVariable {
  value: string
  /** The account that wrote the value. */
  savedBy: Saver
}
