import type { EndpointFacts } from '../functions/kit/endpoint-facts.ts'
import { commonHeaders, commonResponses, responsesOf } from './responses.ts'
import { type Node, schemaBook } from './schemas.ts'

interface DescribedHeader {
  name: string
  /** Whether each response with the status has it, as far as the description says. */
  isAlwaysSent: boolean
}

const methods = ['GET', 'POST', 'PUT', 'DELETE']
const known = new WeakMap<EndpointFacts, Map<string, Node>>()

/**
 * Returns the headers that the description has for a status of an endpoint. Without a method,
 * returns those of all methods, and none that a method alone adds is always sent.
 */
export function describedHeaders(
  facts: EndpointFacts,
  status: number,
  method: string | undefined,
): DescribedHeader[] {
  const all = (method === undefined ? methods : [method]).map((one) =>
    headersAt(facts, status, one),
  )
  return Object.entries<Node>(Object.assign({}, ...all)).map(([name, header]) => ({
    name,
    isAlwaysSent: all.every((one) => name in one) && isUnconditional(status, name, header),
  }))
}

/** A header that a success may lack says so. Most of those of failures depend on the reason. */
function isUnconditional(status: number, name: string, header: Node): boolean {
  if (name === 'X-Request-Id' || name === 'WWW-Authenticate') return true
  const { description } = header.$ref ? named(header, commonHeaders) : header
  return status < 400 && !/\b(Absent|Present) if\b/.test(description)
}

function headersAt(facts: EndpointFacts, status: number, method: string): Node {
  const responses = responsesFor(facts, method)
  const response = responses[status] ?? responses.default ?? {}
  return (response.$ref ? named(response, commonResponses) : response).headers ?? {}
}

function responsesFor(facts: EndpointFacts, method: string): Node {
  const ofFacts = known.get(facts) ?? new Map<string, Node>()
  known.set(facts, ofFacts)
  const responses = ofFacts.get(method) ?? responsesOf(facts, method, schemaBook())
  ofFacts.set(method, responses)
  return responses
}

/** Returns the component that a reference names. */
const named = ({ $ref }: Node, components: Node): Node => components[$ref.split('/').at(-1)]
