import type { Node } from './schemas.ts'
import { type ToolDecision, toolDecisions } from './tool-decisions.ts'

/** A tool of `cli mcp`, made of one operation of the description. */
export interface ToolDefinition {
  name: string
  title: string
  description: string
  method: string
  /** As in the description, with placeholders in braces. */
  path: string
  /** Where the request has each argument. */
  inputs: { path: string[]; query: string[]; body: string[] }
  /** Parameters of the query that always have this value. */
  fixed: Record<string, string>
  /** The planner of a change. Null for a tool that reads. */
  plan: string | null
  /** Fields of the response that are left out, because they are secret. */
  hide: readonly string[]
  inputSchema: Node
}

type Tool = Exclude<ToolDecision, { kind: 'left out' }>

/** The parameters that come with many operations, and what a tool sends in place of them. */
const fixedAlways: Readonly<Record<string, string>> = { wait: 'false' }

/** Letters of the description of an operation that its tool keeps. */
const descriptionMax = 500

/**
 * Returns the tools of a description, in the order of the decisions. Throws for a decision about an
 * operation, an input or a field that is not there, and for two arguments of one name.
 */
export function toolsOf(document: Node): ToolDefinition[] {
  const operations = new Map(
    operationsIn(document).map((one): [string, Place] => [one.operation.operationId, one]),
  )
  return toolDecisions.flatMap(([id, decision]) => {
    const place = operations.get(id)
    if (!place) throw new Error(`openapi/tool-decisions.ts: there is no operation ${id}`)
    return decision.kind === 'left out' ? [] : [toolOf(place, decision, document)]
  })
}

interface Place {
  method: string
  path: string
  operation: Node
}

function operationsIn(document: Node): Place[] {
  return Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Node>(methods)
      .filter(([, operation]) => 'operationId' in operation)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function toolOf(
  { method, path, operation }: Place,
  decision: Tool,
  document: Node,
): ToolDefinition {
  const { without } = decision
  const offered = (name: string) => !without.includes(name) && !Object.hasOwn(fixedAlways, name)
  const parameters: Node[] = (operation.parameters ?? []).filter(
    ({ name, in: at }: Node) => at === 'path' || (at === 'query' && offered(name)),
  )
  const body = bodyOf(operation, document)
  refuseUnknown(operation, decision, body, document)
  const fields = Object.keys(body.properties).filter(offered)
  const changes = decision.kind === 'change'
  const inputs = {
    path: namesIn(parameters, 'path'),
    query: namesIn(parameters, 'query'),
    body: fields,
  }
  const names = [...inputs.path, ...inputs.query, ...inputs.body, ...(changes ? ['plan'] : [])]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`${operation.operationId}: two inputs named ${twice}`)
  const planned: [string, Node][] = changes ? [['plan', planSchema]] : []
  const properties = Object.fromEntries([
    ...parameters.map((one): [string, Node] => [one.name, parameterSchema(one, document)]),
    ...fields.map((name): [string, Node] => [name, body.properties[name]]),
    ...planned,
  ])
  const required = [
    ...parameters.filter((one) => one.required).map(({ name }): string => name),
    ...body.required.filter((name) => fields.includes(name)),
  ]
  return {
    name: toolName(operation.operationId),
    title: operation.summary,
    description: descriptionOf(operation, changes),
    method,
    path,
    inputs,
    fixed: fixedFor(operation),
    plan: decision.kind === 'change' ? decision.plan : null,
    hide: decision.hide,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  }
}

/** Throws for a name that leaves out or hides nothing: what it should name would be shown. */
function refuseUnknown(operation: Node, decision: Tool, body: Body, document: Node): void {
  const { without, hide } = decision
  const inputs = [...namesIn(operation.parameters ?? [], 'query'), ...Object.keys(body.properties)]
  const shown = hide.length > 0 ? shownFields(operation, document) : []
  const unknown = [
    ...without.filter((name) => !inputs.includes(name)).map((name) => `input ${name}`),
    ...hide.filter((name) => !shown.includes(name)).map((name) => `field ${name} in a response`),
  ]
  if (unknown.length > 0) {
    throw new Error(
      `openapi/tool-decisions.ts: ${operation.operationId}: there is no ${unknown.join(', no ')}`,
    )
  }
}

/** Returns the fields of the responses of an operation that are no errors. */
function shownFields(operation: Node, document: Node): string[] {
  return Object.entries<Node>(operation.responses).flatMap(([status, response]) => {
    const schema = response.content?.['application/json']?.schema
    if (!status.startsWith('2') || schema === undefined) return []
    return Object.keys(flat(schema, document, []).properties ?? {})
  })
}

/** `backup-runs.get` → `backup_runs_get`. Many assistants allow no dots in names of tools. */
const toolName = (operationId: string): string => operationId.replace(/[.-]/g, '_')

const planSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  description:
    'The digest of the plan that this tool returned for the same arguments. Without it nothing is changed, and the plan is returned',
}

const namesIn = (parameters: Node[], at: string): string[] =>
  parameters.filter((one) => one.in === at).map(({ name }): string => name)

function fixedFor(operation: Node): Record<string, string> {
  const parameters: Node[] = operation.parameters ?? []
  const names = parameters.filter((one) => one.in === 'query').map(({ name }): string => name)
  return Object.fromEntries(Object.entries(fixedAlways).filter(([name]) => names.includes(name)))
}

function descriptionOf(operation: Node, changes: boolean): string {
  const paragraphs = String(operation.description ?? '').split('\n\n')
  const needs = paragraphs.filter((one) => one.startsWith('Needs ')).at(-1)
  const lead = paragraphs.find((one) => !one.startsWith('Needs '))
  return [
    `${operation.summary}.`,
    lead && firstSentences(lead, descriptionMax),
    changes && 'The first call changes nothing and returns the plan with its digest.',
    needs,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns the sentences of a paragraph that fit, at least the first one. */
function firstSentences(paragraph: string, max: number): string {
  const sentences = paragraph.replace(/\s+/g, ' ').split(/(?<=[.:]) (?=[A-Z`])/)
  let kept = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (kept.length + 1 + sentence.length > max) break
    kept += ` ${sentence}`
  }
  return kept
}

interface Body {
  properties: Node
  required: string[]
}

/** Returns the fields of the body of an operation that a caller may send. */
function bodyOf(operation: Node, document: Node): Body {
  const schema = operation.requestBody?.content?.['application/json']?.schema
  if (schema === undefined) return { properties: {}, required: [] }
  const { type, properties = {}, required = [] } = flat(schema, document, [])
  if (type !== 'object') throw new Error(`${operation.operationId}: its body is not an object`)
  const sent = Object.entries<Node>(properties).filter(([, one]) => !one.readOnly)
  const names = sent.map(([name]) => name)
  return {
    properties: Object.fromEntries(sent),
    required: required.filter((name: string) => names.includes(name)),
  }
}

const parameterSchema = (parameter: Node, document: Node): Node => ({
  ...flat(parameter.schema, document, []),
  description: parameter.description,
})

/** Words of a schema that are for readers of the description, not for a caller. */
const spared = ['example', 'examples', 'default', 'discriminator']

/** Returns a schema with references replaced, and without examples and extensions. */
function flat(schema: Node, document: Node, within: readonly string[]): Node {
  const { $ref, ...own } = schema
  if ($ref !== undefined) {
    const name = String($ref).replace('#/components/schemas/', '')
    if (within.includes(name)) throw new Error(`the schema ${name} contains itself`)
    const target = flat(document.components.schemas[name], document, [...within, name])
    return { ...target, ...flat(own, document, within) }
  }
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside)
    if (typeof value !== 'object' || value === null) return value
    return flat(value as Node, document, within)
  }
  // The keys of `properties` are names of fields, not words of a schema.
  const fields = (value: Node): Node =>
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one)]))
  return Object.fromEntries(
    Object.entries(own)
      .filter(([word]) => !spared.includes(word) && !word.startsWith('x-'))
      .map(([word, value]) => [word, word === 'properties' ? fields(value) : inside(value)]),
  )
}
