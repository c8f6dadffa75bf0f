import { readFileSync } from 'node:fs'
import type { Json } from '../../adapters/testing/json.ts'

/** The OpenAPI description, as it is committed. */
export const description: Json = JSON.parse(
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
)

/** A request that an example sends: `POST /api/v1/stacks/{name}/deploy?wait=false`. */
export interface ExampleRequest {
  method: string
  /** With the prefix and the query. A segment with `{` stands for any name. */
  address: string
}

/**
 * Returns the operation that a request asks for.
 *
 * @throws if the description has no such path or method, or no such parameter
 */
export function operationOf({ method, address }: ExampleRequest): Json {
  const [path = '', query] = address.split('?')
  const wanted = path.replace(/^\/api\/v1/, '').split('/')
  const found = Object.keys(description.paths).find((one) => isSamePath(one.split('/'), wanted))
  const operation = found && description.paths[found][method.toLowerCase()]
  if (!operation) throw new Error(`the API has no ${method} ${path}`)
  const known = (operation.parameters ?? []).map(({ name }: { name: string }) => name)
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`${method} ${path} has no parameter ${unknown}`)
  return operation
}

function isSamePath(described: readonly string[], wanted: readonly string[]): boolean {
  return (
    described.length === wanted.length &&
    described.every((segment, at) => {
      const other = wanted[at] ?? ''
      return segment.startsWith('{') ? other !== '' : segment === other
    })
  )
}

/** Returns the names of the fields of the body of an operation. */
export const bodyFields = (operation: Json): string[] =>
  Object.keys(resolved(operation.requestBody?.content['application/json'].schema).properties ?? {})

/** Returns the names of all fields of the successful responses of an operation, at any depth. */
export function responseFields(operation: Json): Set<string> {
  const fields = new Set<string>()
  const seen = new Set<Json>()
  const visit = (schema: Json): void => {
    if (typeof schema !== 'object' || schema === null) return
    const node = resolved(schema)
    if (seen.has(node)) return
    seen.add(node)
    for (const [name, one] of Object.entries<Json>(node.properties ?? {})) {
      fields.add(name)
      visit(one)
    }
    for (const one of [node.items, ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) visit(one)
  }
  for (const [status, response] of Object.entries<Json>(operation.responses)) {
    if (status.startsWith('2')) visit(response.content?.['application/json']?.schema)
  }
  return fields
}

/** Returns a schema, or the one that it refers to. */
function resolved(schema: Json): Json {
  const name = schema?.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? (schema ?? {}) : description.components.schemas[name]
}
