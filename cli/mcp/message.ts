import { parseJson } from '../api/parse-json.ts'
import { isRecord } from '../output/rows.ts'

/** The id of a request: its response has the same one. */
export type RequestId = string | number

/** A request of an assistant, in JSON-RPC 2.0. */
export interface Request {
  id: RequestId
  method: string
  params: Record<string, unknown>
}

/** A message of an assistant, or what is wrong with it. */
export type Message =
  | { kind: 'request'; request: Request }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  | { kind: 'other' }
  | { kind: 'invalid'; error: RpcError }

/** Why a request has no result. */
export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** The codes of JSON-RPC 2.0, and those of the Model Context Protocol. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  version: -32022,
} as const

/** Reads a line of input. A line that was too long is undefined. */
export function parseMessage(line: string | undefined): Message {
  if (line === undefined) return invalid(rpcCodes.request, 'the message is longer than 8 MiB')
  const value = parseJson(line)
  if (value === undefined) return invalid(rpcCodes.parse, 'the line is not JSON')
  if (!isRecord(value) || value.jsonrpc !== '2.0') {
    return invalid(rpcCodes.request, 'the message is not one of JSON-RPC 2.0')
  }
  const { id, method } = value
  // A response: this server sends no requests, so it waits for none.
  if (typeof method !== 'string') return { kind: 'other' }
  const params = isRecord(value.params) ? value.params : {}
  if (id === undefined) return { kind: 'notification', method, params }
  if (typeof id !== 'string' && !Number.isInteger(id)) {
    return invalid(rpcCodes.request, 'id: must be a text or an integer')
  }
  return { kind: 'request', request: { id: id as RequestId, method, params } }
}

const invalid = (code: number, message: string): Message => ({
  kind: 'invalid',
  error: { code, message },
})
