import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { internalError } from '../../../functions/core/errors.ts'
import type { AuditAnchor } from '../../../functions/core/ports/audit-anchor.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Anchored } from '../../../functions/core/records/audit-chain.ts'
import { replacePrivate } from '../keys/private-file.ts'

/**
 * Stores the end of the audit chain in a private file of the data directory, `audit-head.<table>`.
 * It is written after each block of rows, and no request waits for it. Processes with the same data
 * directory share the file; the newest end wins.
 */
export function fileAnchor(dataDirectory: string, table: string, log: Log): AuditAnchor {
  const file = join(dataDirectory, `audit-head.${table}`)
  let ahead: Anchored | undefined
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    while (ahead) {
      const next = newer(readAnchor(file), ahead)
      ahead = undefined
      await replacePrivate(file, `${JSON.stringify(next)}\n`)
    }
  }
  const remember = (known: Anchored) => {
    ahead = newer(ahead, known)
    writing ??= writeAll()
      .catch((error) => log.error('the end of the audit rows could not be stored', { error }))
      .finally(() => {
        writing = undefined
      })
  }
  return {
    read: async () => newer(readAnchor(file), ahead),
    advance: (head) => remember({ head, replaced: [] }),
    replaced: (head, seq) => remember({ head, replaced: [seq] }),
    async settled() {
      await writing
    },
  }
}

/** Returns both combined: the newer head and all replaced rows. */
function newer<A extends Anchored | undefined>(one: Anchored | undefined, other: A): A | Anchored {
  if (!one || !other) return one ?? other
  const head = one.head.seq >= other.head.seq ? one.head : other.head
  return { head, replaced: [...new Set([...one.replaced, ...other.replaced])] }
}

/**
 * Reads the file synchronously, because it is read before each write and is small.
 *
 * @throws 500 if the file is damaged
 */
function readAnchor(file: string): Anchored | undefined {
  try {
    return readAnchored(readFileSync(file, 'utf8'))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw internalError('the file audit-head in the data directory of the service is damaged', {
      cause,
    })
  }
}

/**
 * Parses the text of an anchor.
 *
 * @throws Error if it is damaged
 */
export function readAnchored(text: string): Anchored {
  const anchored = JSON.parse(text) as Anchored
  const { seq, mac } = anchored?.head ?? {}
  const isWhole =
    Number.isInteger(seq) && typeof mac === 'string' && Array.isArray(anchored.replaced)
  if (!isWhole) throw new Error('it does not contain the head of the audit chain')
  return anchored
}
