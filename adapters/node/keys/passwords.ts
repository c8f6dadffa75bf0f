import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import * as argon from '@node-rs/argon2'
import { overloaded } from '../../../functions/core/errors.ts'
import type { Passwords } from '../../../functions/core/ports/passwords.ts'
import { markHandled } from '../../../functions/core/promises.ts'

/** How many hashes may be computed concurrently, and how many may be queued. */
export interface PasswordLimits {
  running: number
  waiting: number
}

type Argon = Pick<typeof argon, 'hash' | 'verify'>

/** Algorithm 2 is argon2id; 19 MiB, 2 passes, 1 lane (OWASP Password Storage Cheat Sheet). */
const cost: argon.Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const lengthMax = 1024

const usual: PasswordLimits = { running: Math.max(1, availableParallelism() - 1), waiting: 64 }

/**
 * Returns password hashing with argon2id, a few at a time so that the thread pool stays free.
 *
 * @throws 500 if the queue is full
 */
export function argonPasswords(
  limits: PasswordLimits = usual,
  { hash, verify }: Argon = argon,
): Passwords {
  const turn = turns(limits)
  let dummy: Promise<string> | undefined
  /**
   * Returns the hash to compare with if there is no account. If computing it fails, for example for
   * lack of memory, it is retried.
   */
  const dummyHash = () => {
    dummy ??= markHandled(
      hash(randomBytes(32).toString('base64'), cost).catch((error) => {
        dummy = undefined
        throw error
      }),
    )
    return dummy
  }
  const hashed = (password: string) => turn(() => hash(password, cost))
  return {
    async hash(password) {
      refuseLong(password)
      return hashed(password.normalize('NFC'))
    },
    async verify(password, stored) {
      refuseLong(password)
      const compared = typeof stored === 'string' ? stored : await dummyHash()
      for (const form of formsOf(password)) {
        if (await turn(() => verify(compared, form))) return typeof stored === 'string'
      }
      return false
    },
  }
}

/**
 * Returns the forms in which a keyboard may have composed the letters of a password. Earlier
 * versions hashed it as it was typed.
 */
const formsOf = (password: string) =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')])

function refuseLong(password: string): void {
  if (password.length > lengthMax)
    throw new RangeError('the length of the password was not checked')
}

/** Returns a function that runs work with limited concurrency, in order of arrival. */
function turns({ running, waiting }: PasswordLimits) {
  let busy = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= running) {
      if (queue.length >= waiting)
        throw overloaded('the service is overloaded: try again in a moment')
      await new Promise<void>((resolve) => queue.push(resolve))
    } else busy += 1
    try {
      return await work()
    } finally {
      // The slot is passed on directly, so that no newcomer can take it.
      const next = queue.shift()
      if (next) next()
      else busy -= 1
    }
  }
}
