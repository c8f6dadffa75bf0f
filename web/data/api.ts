import createClient from 'openapi-fetch'
import type { paths } from './api.types.ts'
import { authorizedFetch } from './authorized-fetch.ts'
import { base } from './browser-endpoints.ts'
import { problemOf, RequestError } from './problem.ts'
import { session } from './session.ts'

/**
 * The client of the API, typed by its description. It adds the access token, and repeats a request
 * once after a refresh.
 */
export const api = createClient<paths>({ baseUrl: base, fetch: authorizedFetch(session) })

interface Answer<T> {
  data?: T | undefined
  error?: unknown
  response: Response
}

/**
 * Returns the body of a successful response.
 *
 * @throws RequestError with the problem of any other one
 */
export async function unwrap<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (!response.ok) throw new RequestError(problemOf(response, error))
  return data as T
}
