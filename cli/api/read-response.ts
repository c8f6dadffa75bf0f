import { ApiFailure, type CliFailure, failed } from '../failure.ts'
import { hintOf } from '../reason-hints.ts'
import type { Answer, Target } from './http.ts'
import { parseJson } from './parse-json.ts'

/**
 * Returns the value of a successful response. For any other it throws a `CliFailure` with the
 * service's own message.
 */
export function accept<T>(answer: Answer<T>, target: Target): T {
  const value = parseJson(answer.text)
  if (answer.status >= 200 && answer.status < 300) {
    // Not validated, so that the client also works with services that add fields.
    if (value !== undefined || answer.text === '') return value as T
    throw notTheService(answer, target)
  }
  throw apiFailure(answer, value, target)
}

/** Returns the failure of an unsuccessful response, such as a refused upgrade. */
export const refused = (answer: Answer, target: Target): CliFailure =>
  apiFailure(answer, parseJson(answer.text), target)

function apiFailure(answer: Answer, value: unknown, target: Target): CliFailure {
  const message = messageOf(value)
  if (message === undefined) return notTheService(answer, target)
  const { status, headers } = answer
  const reason = textOf(headers['x-error-reason'])
  const requestId = textOf(headers['x-request-id'])
  if (status === 401) {
    const hint = `run: cli login ${target.server}`
    return new ApiFailure(status, message, 3, { hint, reason, requestId })
  }
  const shownId = status >= 500 && requestId ? `request id: ${requestId}` : undefined
  const hint = hintOf(reason, message) ?? shownId
  return new ApiFailure(status, message, status === 403 ? 4 : 1, { hint, reason, requestId })
}

const textOf = (value: string | string[] | undefined) => [value].flat()[0]

function messageOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  return typeof value.error === 'string' ? value.error : undefined
}

/**
 * Returns the failure of a response that is not from the service, such as a proxy's or another
 * program's.
 */
function notTheService({ status, headers }: Answer, { server }: Target): CliFailure {
  const { location } = headers
  if (status >= 300 && status < 400 && location) {
    return failed(`${server} redirects to ${location}`, {
      hint: 'log in with that address: the client does not send credentials to a redirect target',
    })
  }
  const type = headers['content-type'] ?? 'no content type'
  return failed(`${server} responded with ${status} and ${type}: this is not the service`, {
    hint: 'check the address',
  })
}
