import type { Method } from '../api/endpoints.ts'
import made from './tools.json' with { type: 'json' }

/** A tool for an assistant: one operation of the API. `npm run openapi` makes them. */
export interface Tool {
  name: string
  title: string
  description: string
  method: Method
  /** As in the API, with placeholders in braces. */
  path: string
  /** Where the request has each argument. */
  inputs: { path: readonly string[]; query: readonly string[]; body: readonly string[] }
  /** Parameters of the query that always have this value. */
  fixed: Readonly<Record<string, string>>
  /** The planner of a change. Null for a tool that reads. */
  plan: string | null
  /** Fields of the response that are left out, because they are secret. */
  hide: readonly string[]
  inputSchema: {
    type: 'object'
    properties: Readonly<Record<string, unknown>>
    required: readonly string[]
    additionalProperties: false
  }
}

/** All tools, in the order in which they are listed. */
export const tools = made as unknown as readonly Tool[]

/** Returns whether a tool changes something. */
export const changesSomething = (tool: Tool): boolean => tool.plan !== null

/** Returns the tools of a server: those that read, or all. */
export const toolsFor = (mayWrite: boolean): readonly Tool[] =>
  tools.filter((tool) => mayWrite || !changesSomething(tool))

/** Returns a tool as the protocol lists it. */
export const listedTool = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: tool.inputSchema,
  annotations: {
    title: tool.title,
    readOnlyHint: !changesSomething(tool),
    destructiveHint: changesSomething(tool),
    idempotentHint: !changesSomething(tool),
  },
})
