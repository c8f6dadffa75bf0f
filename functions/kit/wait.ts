import { z } from 'zod'
import { type CallerPorts, currentCaller } from '../core/access/caller.ts'
import { allows, notAllowed, type Required } from '../core/access/grant.ts'
import {
  Failure,
  type FailureOptions,
  type FailureStatus,
  forbidden,
  invalidCredential,
} from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { readUntil } from '../core/time/read-until.ts'
import { locationOf } from './location.ts'
import { flag } from './params.ts'
import { Reply } from './reply.ts'

/** The query of an operation for whose end the response waits, unless the caller refuses. */
export const WaitQuery = z.object({
  wait: flag.default(true).meta({
    description:
      'With `false` the response is 202 as soon as the operation has started. `Location` is where to follow it',
  }),
})

/** The query of an operation for whose end the response waits only if the caller asks for it. */
export const NoWaitQuery = z.object({
  wait: flag.default(false).meta({
    description:
      'With `true` the response is sent when the operation has ended, even if it failed: see `status` and `error`',
  }),
})

/** The longest time for which a read waits. Seconds: proxies often cut a response after 60 s. */
export const waitSecondsMax = 55

const rangeOfWait = `must be a number of seconds from 0 to ${waitSecondsMax}`

/** The query of a read that may wait until an operation has ended. */
export const WaitSecondsQuery = z.object({
  wait_seconds: z
    .string()
    .regex(/^\d{1,2}$/, rangeOfWait)
    .transform(Number)
    .refine((seconds) => seconds <= waitSecondsMax, rangeOfWait)
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: waitSecondsMax,
      default: 0,
      description:
        'How long to wait for the end of the operation, in seconds. The response is sent when it has ended, or after this time, or earlier, with the record as it is then',
    }),
})

/** A request that waits: its caller, the access of its endpoint, and its signal. */
interface Waiting {
  caller: Caller
  access: Required
  signal: AbortSignal
}

/** The ports that `readEnded` needs. */
export type WaitPorts = CallerPorts & Needs<'background' | 'callerLimiter'>

/**
 * Returns the record of an operation when it has ended, or as it is after the time that the query
 * allows. `read` gets the caller with the rights that it has then. It takes a turn of the caller
 * for each read, and none while the request waits.
 *
 * @throws what `read` throws, 401 or 403 if the caller loses the access meanwhile, 500 if too many
 *   requests of the account wait
 */
export async function readEnded<T extends { status: string }>(
  read: (caller: Caller) => Promise<T>,
  { wait_seconds: seconds }: z.output<typeof WaitSecondsQuery>,
  { caller, access, signal }: Waiting,
  ports: WaitPorts,
): Promise<T> {
  const { callerLimiter } = ports
  const turn = (now: Caller) => callerLimiter.run(caller.account.id, () => read(now))
  if (seconds === 0) return turn(caller)
  const leave = callerLimiter.startWaiting(caller.account.id)
  try {
    let known: Caller | undefined = caller
    const readAsNow = async () => {
      const now = known ?? (await callerNow(caller, access, ports))
      known = undefined
      return turn(now)
    }
    const isDone = ({ status }: T) => status !== 'running'
    return await readUntil({ read: readAsNow, isDone, time: seconds * 1000, signal }, ports)
  } finally {
    leave()
  }
}

/**
 * Returns the caller of a request with the rights that it has now.
 *
 * @throws 401 if its credential ended, 403 if it lost the access or its scope was changed
 */
async function callerNow(caller: Caller, access: Required, ports: CallerPorts): Promise<Caller> {
  const now = await currentCaller(caller.credential, ports)
  if (!now) throw invalidCredential()
  if (!allows(now, access)) throw notAllowed(now, access)
  // The ports of the request have the scope that it began with.
  if (String(now.scopeTags) !== String(caller.scopeTags)) {
    throw forbidden('your scope was changed while the request waited: send it again')
  }
  return now
}

export const operationIdHeader = 'X-Operation-Id'

const operationId = 'Id of the operation that the request started, such as that of a deployment'

/**
 * Describes the headers of an endpoint whose response to a caller who waits has one of the statuses
 * in `waited`, for `responseHeaders`. A 500 is one of them where a failed operation is an error.
 */
export const operationHeaders = (...waited: readonly number[]) => ({
  [operationIdHeader]: { description: operationId, statuses: [202, ...waited] },
  Location: { description: 'The path at which GET returns the operation', statuses: [202] },
})

/** Returns the 202 of an operation that has started. `segments` are its path. */
export const accepted = <T>(record: T, id: string, ...segments: readonly string[]): Reply<T> =>
  new Reply(record, {
    status: 202,
    headers: { Location: locationOf(...segments), [operationIdHeader]: id },
  })

/**
 * Returns the response of an operation that has ended. `hasFailed` goes into the audit log: the
 * response describes the failure.
 */
export const ended = <T>(
  value: T,
  { id, ...options }: { id: string; status?: number; hasFailed?: boolean },
): Reply<T> => new Reply(value, { ...options, headers: { [operationIdHeader]: id } })

/** Returns the error of an operation that failed, where the response is not its record. */
export const operationFailure = (
  id: string,
  status: FailureStatus,
  message: string,
  options: FailureOptions = {},
): Failure =>
  new Failure(status, message, {
    ...options,
    headers: { ...options.headers, [operationIdHeader]: id },
  })

/** Returns whether a failure is that of an operation which the request started. */
export const isOfOperation = ({ headers }: Failure): boolean =>
  headers[operationIdHeader] !== undefined
