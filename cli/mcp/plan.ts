import { createHash } from 'node:crypto'
import type { Client } from '../api/client.ts'
import { isRecord } from '../output/rows.ts'
import type { Tool } from './tool.ts'
import type { Arguments, ToolRequest } from './tool-request.ts'

/** One thing that a change does, with the words of the plan of a deploy. */
export interface PlanRow {
  action: string
  kind: string
  name: string
  reason: string
}

/** A change before it happens. */
export interface Plan {
  rows: PlanRow[]
  /** Fields that the body gets, so that the service refuses what was not planned. */
  pinned: Record<string, unknown>
  /** What the rows do not show and the change depends on. It is a part of the digest. */
  state: unknown
}

/** A change that is planned. */
export interface Planning {
  tool: Tool
  given: Arguments
  request: ToolRequest
  client: Client
  signal: AbortSignal
}

/** Returns an argument that the tool requires, such as `name`. */
export const textAt = ({ given }: Planning, name: string): string => String(given[name])

/** Returns an argument that may be left out. */
export const optionalAt = ({ given }: Planning, name: string): string | undefined =>
  given[name] === undefined ? undefined : String(given[name])

/** Finds out what a change would do. It changes nothing. */
export type Planner = (planning: Planning) => Promise<Plan>

/** Returns the digest of a call and its plan: the same call and the same plan have the same one. */
export function digestOf(tool: Tool, given: Arguments, plan: Plan): string {
  const text = JSON.stringify(inOrder({ tool: tool.name, given, plan }))
  return createHash('sha256').update(text).digest('hex')
}

/** Returns a value with sorted fields: their order says nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isRecord(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]))
}
