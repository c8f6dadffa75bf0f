import type { Reason } from '../../../functions/core/errors.ts'

/** The reasons of error messages, as `knownMessage` returns them. The first that fits counts. */
const known: readonly (readonly [message: RegExp, reason: Reason])[] = [
  [/^the registry (?:cannot be reached|has an error of its own)/, 'registry-unreachable'],
  [
    /^(manifest unknown|no matching manifest|too many requests|pull access denied|unauthorized): /,
    'registry-refused',
  ],
  [/^the image is built for another operating system/, 'registry-refused'],
  [/^no space left/, 'disk-full'],
  [/already exists$/, 'exists'],
  [
    /in use|already allocated|active endpoints|container is running|child images|several names/,
    'in-use',
  ],
  [/being removed|already running|is restarting/, 'engine-busy'],
  [
    /^the Engine could not change the firewall|^the connection on which|^the Engine, or containerd|^the Engine cannot use its storage/,
    'engine-failed',
  ],
  [/^the Engine has too many files open|^the host has no memory/, 'engine-busy'],
]

/**
 * Returns why the Engine refused a call.
 *
 * @param message the text for callers; undefined if the message is unknown
 * @param status the status of the Engine's response
 */
export function reasonOfMessage(message: string | undefined, status: number): Reason {
  const found = known.find(([pattern]) => message !== undefined && pattern.test(message))
  if (found) return found[1]
  if (status === 429 || status === 503) return 'engine-busy'
  // A refusal whose cause is known says nothing against the Engine.
  return status === 403 || status === 409 || message !== undefined ? 'conflict' : 'engine-failed'
}
