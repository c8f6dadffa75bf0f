import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFor } from '../../../functions/core/cache-for.ts'
import { internalError } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { AuditAnchor } from '../../../functions/core/ports/audit-anchor.ts'
import type { SelfCheck } from '../../../functions/core/ports/self-check.ts'
import { markHandled } from '../../../functions/core/promises.ts'
import { diskFull, diskUse } from './disk.ts'

/** The parts that a probe checks. */
export interface ProbedParts {
  dataDirectory: string
  anchor: Pick<AuditAnchor, 'read'>
  /** Overwrites one small item in the store. */
  writeToStore(): Promise<unknown>
}

/** Milliseconds. A result is reused for this long and for every caller, even a failure. */
const every = 10_000
/** Milliseconds. The time limit for writing a few kilobytes. */
const diskDeadline = 2500
const probeBytes = 16 * 1024

/**
 * Returns a check that writes to the data directory and the store at most every ten seconds,
 * however often it is called.
 */
export function selfCheck(parts: ProbedParts, now = () => performance.now()): SelfCheck {
  const probe = async (): Promise<{ error?: unknown }> => {
    try {
      await parts.anchor.read()
      await inTime(writeProbe(parts.dataDirectory))
      await parts.writeToStore()
      return {}
    } catch (error) {
      return { error }
    }
  }
  const answers = cacheFor(probe, every, now)
  return {
    async writable() {
      const { error } = await answers.get()
      if (error) throw error
    },
    disk: () => diskUse(parts.dataDirectory).catch(ignoreError('read the usage of the disk')),
  }
}

async function writeProbe(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, `probe.${randomBytes(6).toString('hex')}`)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(randomBytes(probeBytes))
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw (
      diskFull(cause) ??
      internalError('the data directory of the service is not writable', { cause })
    )
  } finally {
    await rm(path, { force: true })
  }
}

/** Limits the time: a disk that hangs, such as a network disk, must not delay the response. */
async function inTime(work: Promise<void>): Promise<void> {
  markHandled(work)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const failure = internalError('the data disk of the service does not respond', {
      reason: 'timeout',
    })
    timer = setTimeout(() => reject(failure), diskDeadline)
  })
  try {
    await Promise.race([work, markHandled(late)])
  } finally {
    clearTimeout(timer)
  }
}
