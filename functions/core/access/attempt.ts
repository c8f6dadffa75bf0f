import { createHash } from 'node:crypto'
import { must } from '../../compose/must.ts'
import { type Failure, locked, overloaded } from '../errors.ts'
import type { AttemptState } from '../ports/attempts.ts'
import type { Needs } from '../ports/ports.ts'
import { normalName } from '../records/normal-name.ts'
import {
  admit,
  type LockoutLimits,
  lockedUntil,
  lockoutLimits,
  retainUntil,
  type Verdict,
  withVerdict,
} from './lockout.ts'

/** The ports that counting an attempt needs. */
export type AttemptPorts = Needs<'attempts' | 'background' | 'clock' | 'random' | 'settings'>

/** How long an attempt waits for other attempts to end before it fails. Milliseconds. */
const retryTimeout = 10_000

/**
 * How many rows the failed attempts at names without an account share. Each has less than 300 bytes
 * and stays for a day.
 */
export const strangerRows = 65_536

/**
 * Returns the key under which attempts at an account are counted. Names are hashed because users
 * type passwords into the wrong field.
 */
export const accountAttempts = (username: string): string =>
  `login:${createHash('sha256').update(normalName(username)).digest('hex')}`

/**
 * Returns the key under which attempts at a name without an account are counted: one of a fixed
 * number, so that invented names leave no more rows. It depends on a key of the installation, so
 * that strangers cannot choose names that share a row.
 */
export function strangerAttempts(
  username: string,
  { browserSecrets }: Needs<'browserSecrets'>,
): string {
  const [derived] = browserSecrets.derive(`unknown user name\n${normalName(username)}`)
  const number = Buffer.from(must(derived, 'a key of the installation')).readUInt32BE()
  return `login:unknown:${number % strangerRows}`
}

/**
 * Verifies a guess at the secret of an account and counts it.
 *
 * @param key the result of `accountAttempts`, or of `strangerAttempts` if there is no account
 * @param verify returns undefined for a wrong guess; called only once the attempt is reserved
 * @param verdictOf returns how a result counts; `right` by default
 * @throws 423 while the account is locked, and 500 if the verdict could not be recorded in time;
 *   the result is then not revealed
 */
export async function countedAttempt<T>(
  key: string,
  verify: () => Promise<T | undefined>,
  ports: AttemptPorts,
  verdictOf: (result: T) => Verdict = () => 'right',
): Promise<T | undefined> {
  const limits = lockoutLimits(await ports.settings.get())
  const admittedAt = await reserve(key, limits, ports)
  let result: T | undefined
  try {
    result = await verify()
  } catch (error) {
    // Do not wait for the release: a store that hangs would delay the response twice. The
    // reservation also expires on its own.
    ports.background.run('release a login attempt', async () => {
      await record(key, admittedAt, 'released', limits, ports)
    })
    throw error
  }
  const verdict = result === undefined ? 'wrong' : verdictOf(result)
  if (!(await record(key, admittedAt, verdict, limits, ports))) throw tooSlow()
  return result
}

/**
 * Returns when the lock on an account ends, in milliseconds since the epoch, or null if it is not
 * locked.
 */
export async function lockOf(
  username: string,
  ports: Needs<'attempts' | 'clock' | 'settings'>,
): Promise<number | null> {
  const { value } = await ports.attempts.read(accountAttempts(username))
  const limits = lockoutLimits(await ports.settings.get())
  return lockedUntil(value, ports.clock.now(), limits)
}

/** Unlocks an account and resets its failures. Attempts that are being verified stay counted. */
export async function unlock(
  username: string,
  ports: Needs<'attempts' | 'clock' | 'random'>,
): Promise<void> {
  await change(accountAttempts(username), ports, ({ pending }) => ({
    failed: 0,
    pending,
    lockedUntil: null,
  }))
}

const tooSlow = () => overloaded('the service is overloaded: try again in a moment')

function lockedFailure(until: number, now: number): Failure {
  const time = new Date(until).toISOString()
  return locked(`the account is locked after too many failed logins; try again after ${time}`, {
    headers: { 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  })
}

async function reserve(key: string, limits: LockoutLimits, ports: AttemptPorts): Promise<number> {
  for (let waited = 0, delay = 25; waited < retryTimeout; ) {
    const { value, version } = await ports.attempts.read(key)
    const now = ports.clock.now()
    const admission = admit(value, now, limits)
    if (admission.kind === 'locked') throw lockedFailure(admission.until, now)
    if (admission.kind === 'admitted') {
      const next = admission.next
      if (await ports.attempts.swap(key, version, next, retainUntil(next, now))) return now
    }
    const pause = admission.kind === 'full' ? delay : 4
    if (admission.kind === 'full') delay = Math.min(delay * 2, 400)
    waited += await pauseAbout(pause, ports)
  }
  throw tooSlow()
}

function record(
  key: string,
  admittedAt: number,
  verdict: Verdict,
  limits: LockoutLimits,
  ports: AttemptPorts,
): Promise<boolean> {
  return change(key, ports, (state) =>
    withVerdict(state, admittedAt, verdict, ports.clock.now(), limits),
  )
}

/**
 * Retries a compare-and-swap until it succeeds. Returns false if `decide` returns undefined, or if
 * other writers win for 10 s.
 */
async function change(
  key: string,
  ports: Needs<'attempts' | 'clock' | 'random'>,
  decide: (state: AttemptState) => AttemptState | undefined,
): Promise<boolean> {
  for (let waited = 0; waited < retryTimeout; ) {
    const { value, version } = await ports.attempts.read(key)
    const next = decide(value)
    if (!next) return false
    const until = retainUntil(next, ports.clock.now())
    if (await ports.attempts.swap(key, version, next, until)) return true
    waited += await pauseAbout(4, ports)
  }
  return false
}

/**
 * Sleeps for one to three times the given time, so that writers that collided do not collide again.
 * Returns the milliseconds that it slept.
 */
async function pauseAbout(milliseconds: number, ports: Needs<'clock' | 'random'>) {
  const [byte = 0] = ports.random.bytes(1)
  const pause = Math.round(milliseconds * (1 + byte / 128))
  await ports.clock.sleep(pause)
  return pause
}
