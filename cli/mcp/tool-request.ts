import { fillPath, type Resource } from '../api/http.ts'
import { failed } from '../failure.ts'
import { isRecord } from '../output/rows.ts'
import type { Tool } from './tool.ts'

/** The arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>

/** A request of the API that a call of a tool sends. */
export interface ToolRequest extends Required<Resource> {
  /** Undefined if no field of the body is given. */
  body: Record<string, unknown> | undefined
}

/**
 * Makes the request of a call. It checks the names of the arguments and what goes into the address;
 * the service checks the rest. Throws a `CliFailure` that says what to change.
 */
export function requestOf(tool: Tool, given: Arguments): ToolRequest {
  const { inputs, inputSchema, fixed } = tool
  const known = Object.keys(inputSchema.properties)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const rest = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`
    throw failed(`${tool.name} has no argument ${JSON.stringify(unknown)}: ${rest}`)
  }
  const missing = inputSchema.required.find((name) => given[name] === undefined)
  if (missing !== undefined) throw failed(`${tool.name}: the argument ${missing} is missing`)
  const path = inputs.path.map((name) => [name, textOf(name, given[name])])
  const isGiven = (name: string) => given[name] !== undefined
  const query = inputs.query.filter(isGiven).map((name) => [name, parameterOf(name, given[name])])
  const body = inputs.body.filter(isGiven).map((name) => [name, given[name]])
  return {
    path: fillPath(tool.path, Object.fromEntries(path)),
    query: Object.fromEntries([...query, ...Object.entries(fixed)]),
    body: body.length === 0 ? undefined : Object.fromEntries(body),
  }
}

/** Returns the arguments of a call. Throws a `CliFailure` if they are no object. */
export function argumentsOf(value: unknown): Arguments {
  if (value === undefined || value === null) return {}
  if (isRecord(value)) return value
  throw failed('arguments: must be an object with the arguments by name')
}

function parameterOf(name: string, value: unknown): string | string[] {
  return Array.isArray(value) ? value.map((one) => textOf(name, one)) : textOf(name, value)
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw failed(`${name}: must be a text, a number or a boolean`)
}
