import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import * as argon from '@node-rs/argon2'
import type { Passwords } from '../../functions/core/access/ports.ts'
import { broken } from '../../functions/core/errors.ts'
import { started } from '../../functions/core/promises.ts'

/** How many hashes may be computed at once and how many may wait for that. */
export interface PasswordLimits {
  running: number
  waiting: number
}

type Argon = Pick<typeof argon, 'hash' | 'verify'>

/** 2 is argon2id; 19 MiB, 2 passes, 1 lane (OWASP Password Storage Cheat Sheet). */
const cost: argon.Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const lengthMax = 1024

const usual: PasswordLimits = { running: Math.max(1, availableParallelism() - 1), waiting: 64 }

/** Passwords in argon2id, few at a time so that the thread pool stays free. Beyond the queue it throws a `Failure` 500. */
export function argonPasswords(
  limits: PasswordLimits = usual,
  { hash, verify }: Argon = argon,
): Passwords {
  const turn = turns(limits)
  let dummy: Promise<string> | undefined
  /** What a password is compared with where no account is. One that failed, for want of memory, is made again. */
  const dummyHash = () => {
    dummy ??= started(
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
      return hashed(password)
    },
    async verify(password, stored) {
      refuseLong(password)
      if (typeof stored === 'string') return turn(() => verify(stored, password))
      const other = await dummyHash()
      await turn(() => verify(other, password))
      return false
    },
  }
}

function refuseLong(password: string): void {
  if (password.length > lengthMax) throw new RangeError('the password was not checked for length')
}

/** Runs work when it is its turn, first come first served. */
function turns({ running, waiting }: PasswordLimits) {
  let busy = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= running) {
      if (queue.length >= waiting) throw broken('the service is overloaded: try again in a moment')
      await new Promise<void>((resolve) => queue.push(resolve))
    } else busy += 1
    try {
      return await work()
    } finally {
      // The turn is handed on as it is, so that nobody who comes just now gets between.
      const next = queue.shift()
      if (next) next()
      else busy -= 1
    }
  }
}
