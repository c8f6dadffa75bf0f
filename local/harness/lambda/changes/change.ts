import type { Json } from '../../../../adapters/testing/json.ts'
import type { Cloud } from '../cloud.ts'
import { type Answer, askCloud } from '../cloud-client.ts'

/** A change that can be requested once, and was not made before. */
export interface Change {
  /** Requests the change. `requestId` is that of its rows in the audit log. */
  send(requestId: string): Promise<Answer>
  /**
   * Returns what is stored now, in requests of its own. `answer` is the response to the change, if
   * that was a success: what it gave, such as a token, is used then.
   */
  read(answer?: Answer): Promise<unknown>
  /** What `read` returns once the change was made, and not before. */
  wanted: unknown
}

/** Prepares a change. Each change of a group has another number, from 0. */
export type NewChange = (number: number) => Promise<Change>

/** Requests of the functions that must succeed, and requests of changes. */
export interface Client {
  /** @throws if the response is not 200 */
  get(path: string, as?: string): Promise<Json>
  /**
   * Sends a POST.
   *
   * @throws if the response is neither 200 nor 201
   */
  create(path: string, body?: unknown): Promise<Json>
  /** Returns what sends a change, whatever the response. */
  send(method: string, path: string, body?: unknown, as?: string): Change['send']
}

/** Returns a client. Without another credential, requests have `token`. */
export function clientOf(cloud: Cloud, token: string): Client {
  return {
    async get(path, as = token) {
      const { status, json, text } = await askCloud(cloud, path, { as })
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
      return json
    },
    async create(path, body) {
      const sent = { method: 'POST', body, as: token }
      const { status, json, text } = await askCloud(cloud, path, sent)
      if (status !== 200 && status !== 201) throw new Error(`POST ${path}: ${status} ${text}`)
      return json
    },
    send:
      (method, path, body, as = token) =>
      (requestId) =>
        askCloud(cloud, path, { method, body, as, headers: { 'x-request-id': requestId } }),
  }
}

/** Returns a function that does this at its first call, and always returns that result. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
