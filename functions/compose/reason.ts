/**
 * The closed list of reasons why a valid request fails, with what each means for the caller. They
 * are sent as `X-Error-Reason`, for programs; people read the message.
 */
export const reasons = {
  exists: 'Something with that name or in that place already exists',
  'in-use': 'Something else still uses it',
  'own-installation':
    'It is a part of the service itself: use `docker compose` on its host, or back up the system',
  conflict: 'What is there does not allow the request, or another request just changed it',
  blocked:
    'The account that it acts as lost a right, or a stack of it is another one: save it again',
  pinned: 'It is fixed by the configuration of the service, or built in',
  'lease-held':
    'Another operation on it is running: try again when it is done, not before `Retry-After` seconds',
  'outcome-unknown':
    'The first request with this `Idempotency-Key` was cut off, and how far it came is unknown: look at the thing itself',
  drift: 'Files or images on the host differ from what the service last deployed',
  'references-not-accepted':
    'An account that saved the files may not use what they refer to: accept each by name with `accept_references`',
  'stale-revision': 'It was changed since the revision that the request names: read it again',
  'invalid-compose': 'The files of the stack are not valid; the message names file, line and path',
  limit: 'A limit of the service is reached',
  overloaded:
    'The service takes no more work now, such as while it shuts down: try again after `Retry-After` seconds',
  'confirmation-required':
    'The sign-in is too long ago for this: send the password or a code too, or sign in again',
  forbidden:
    'Ends a feed only: the rights that it needs were withdrawn, or the credential has ended',
  'unexpected-message': 'Ends a feed only: the client sent what the feed does not accept',
  'slow-reader': 'Ends a feed only: the client reads too slowly, so messages were dropped',
  policy: 'The compose policy does not permit it to your account; `stacks:privileged` does',
  'host-offline': 'The agent of the host is not connected',
  'host-revoked': 'The host was revoked',
  'engine-busy': 'The Docker Engine did not respond in time: try again',
  'engine-failed':
    'The Docker Engine failed, does not respond, or refused a call for an unknown reason',
  'registry-unreachable': 'The Docker Engine, or the service itself, cannot reach the registry',
  'registry-refused':
    'The registry has no such image, or refuses the credentials or what is pushed',
  'source-unreachable': 'The source of the stack does not respond, or takes no requests for now',
  'source-refused':
    'The source has no such reference or folder, refuses the credentials, or has what cannot be used',
  'managed-by-source':
    'The files of the stack are those of its source: change them there, or take the source from the stack',
  'store-unavailable': 'The store of the service does not respond, such as while it restarts',
  'disk-full': 'A disk is full',
  timeout: 'Something outside the service did not respond in time',
  internal: 'The service itself failed; see its log',
} as const satisfies Record<string, string>

export type Reason = keyof typeof reasons

export const reasonNames = Object.keys(reasons) as Reason[]
