import type { Client } from '../api/client.ts'
import { failed } from '../failure.ts'
import { bounded } from './bounded.ts'
import { digestOf, type Plan, type Planning } from './plan.ts'
import { planners } from './planners.ts'
import {
  aboutData,
  dataResult,
  errorResult,
  orNothing,
  type ToolResult,
  textResult,
} from './result.ts'
import type { Tool } from './tool.ts'
import { type Arguments, requestOf, type ToolRequest } from './tool-request.ts'

/** A call of a tool by an assistant. */
export interface ToolCall {
  tool: Tool
  given: Arguments
  client: Client
  /** Aborts the requests to the service. What it has begun there goes on. */
  signal: AbortSignal
}

/**
 * Calls a tool. A tool that changes something returns its plan first. It goes on only in a call
 * that names the digest of that plan, and if the plan is still the same. Throws a `CliFailure` for
 * wrong arguments, and for what the service refuses.
 */
export async function callTool({ tool, given, client, signal }: ToolCall): Promise<ToolResult> {
  if (tool.plan === null) return send(tool, requestOf(tool, given), client, signal)
  const { plan: agreed, ...rest } = given
  const planning: Planning = { tool, given: rest, request: requestOf(tool, rest), client, signal }
  const plan = await planFor(tool.plan, planning)
  const digest = digestOf(tool, rest, plan)
  if (agreed === undefined) return planResult(plan, digest, nothingYet)
  if (agreed !== digest) return errorResult(shownPlan(plan, digest, otherPlan))
  const body = withPinned(planning.request, plan)
  return send(tool, { ...planning.request, body }, client, signal)
}

const nothingYet =
  'Nothing was changed. To do this, call the tool again with the same arguments and `plan` set to this digest.'

const otherPlan =
  'Nothing was changed: the plan is another one by now, or `plan` belongs to other arguments. Look at these rows. To do this, call the tool again with `plan` set to this digest.'

function planFor(name: string, planning: Planning): Promise<Plan> {
  const planner = planners.get(name)
  if (!planner) throw failed(`this client cannot plan ${planning.tool.name}: upgrade it`)
  return planner(planning)
}

const planResult = (plan: Plan, digest: string, next: string): ToolResult =>
  textResult(shownPlan(plan, digest, next))

function shownPlan({ rows }: Plan, digest: string, next: string) {
  const { data, cut } = bounded(rows, 'start')
  const empty = rows.length === 0 ? ['The plan is empty: there is nothing to do.'] : []
  return { about: aboutData, next, digest, notes: orNothing([...empty, ...cut]), plan: data }
}

/** Returns the body of a change, which the service refuses if something else is there by now. */
function withPinned({ body }: ToolRequest, { pinned }: Plan): ToolRequest['body'] {
  const isEmpty = body === undefined && Object.keys(pinned).length === 0
  return isEmpty ? undefined : { ...body, ...pinned }
}

/** A change may take as long as it needs. */
async function send(
  tool: Tool,
  { path, query, body }: ToolRequest,
  client: Client,
  signal: AbortSignal,
): Promise<ToolResult> {
  const options = { query, body, signal, ...(tool.plan !== null && { timeout: 0 }) }
  return dataResult(tool, await client.raw(tool.method, path, options))
}
