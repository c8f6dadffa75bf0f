import { ApiFailure, type CliFailure, failed } from './failure.ts'
import type { Answer, Target } from './http.ts'

/**
 * Returns the value of a successful response. For any other it throws a `CliFailure` with the
 * service's own message.
 */
export function accept(answer: Answer, target: Target): unknown {
  const value = parse(answer.text)
  if (answer.status >= 200 && answer.status < 300) {
    if (value !== undefined || answer.text === '') return value
    throw stranger(answer, target)
  }
  throw refusal(answer, value, target)
}

/** Returns the failure of an unsuccessful response, such as a refused upgrade. */
export const refused = (answer: Answer, target: Target): CliFailure =>
  refusal(answer, parse(answer.text), target)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(answer: Answer, value: unknown, target: Target): CliFailure {
  const message = messageOf(value)
  if (message === undefined) return stranger(answer, target)
  const { status } = answer
  if (status === 401) return new ApiFailure(status, message, 3, `run: cli login ${target.server}`)
  if (status === 403) return new ApiFailure(status, message, 4)
  const id = answer.headers['x-request-id']
  const hint = status >= 500 && id ? `request id: ${id}` : undefined
  return new ApiFailure(status, message, 1, hint)
}

function messageOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  return typeof value.error === 'string' ? value.error : undefined
}

/**
 * Returns the failure of a response that is not from the service, such as a proxy's or another
 * program's.
 */
function stranger({ status, headers }: Answer, { server }: Target): CliFailure {
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
