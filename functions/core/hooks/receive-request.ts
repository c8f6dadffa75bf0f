import { unauthenticated } from '../errors.ts'
import { ignoreError } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { Hook, HookRefusal } from '../records/hook.ts'
import { findByPath } from './hook-path.ts'
import { changeHook, type HookKind } from './hook-record.ts'
import { isProven, proofOf, signatureOf } from './proof.ts'

/** GitHub sends at most as much. */
const bodyMax = 25 * 1024 * 1024
/** How often a request is recorded that changes nothing else. Milliseconds. */
const recordEvery = 10_000

/** A request to the address of a hook. */
export interface SentHook {
  /** The last segment of the path. */
  path: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  bytes(): AsyncIterable<Uint8Array>
}

/** What an accepted request is answered. */
export interface Receipt {
  owner: HookKind<Hook>['owner']
  /** The name of the stack or source. */
  id: string
  /** It is a ping of GitHub: nothing follows. */
  isPing: boolean
}

export type ReceivePorts = Needs<'background' | 'clock' | 'random' | 'sourceHooks' | 'stackHooks'>

/**
 * Asks for the work of a hook, if the request proves that it knows the secret. The body is hashed
 * and not read otherwise.
 *
 * @throws 401 for all that is wrong, equal in text and work, so that no one learns whether there is
 *   such a hook
 */
export async function receiveRequest(sent: SentHook, ports: ReceivePorts): Promise<Receipt> {
  const found = await findByPath(sent.path, ports)
  const secret = found?.hook.secret ?? Buffer.from(ports.random.bytes(32)).toString('base64url')
  const refused = await refusalOf(sent, secret)
  const at = ports.clock.now()
  if (refused === null && found) {
    const { hook, kind } = found
    const isPing = sent.headers['x-github-event'] === 'ping'
    let isCurrent = false
    const change = (now: Hook) => {
      // It may have been rotated or deleted since it was read.
      isCurrent = now.secret === secret
      return isCurrent ? acceptedChange(now, at, isPing) : undefined
    }
    await changeHook(hook, change, kind)
    if (isCurrent) return { owner: kind.owner, id: hook.id, isPing }
  } else if (found && refused && isRefusalDue(found.hook, at)) {
    const { hook, kind } = found
    const change = (now: Hook) =>
      isRefusalDue(now, at) ? { lastRefused: { at, reason: refused } } : undefined
    // After the response, which must not take longer because there is such a hook.
    ports.background.run('record a refused hook', async () => {
      await changeHook(hook, change, kind)
    })
  }
  throw unauthenticated('there is no such hook, or the secret of the request is wrong')
}

/**
 * Only the first of many requests that wait for one work is written, and the time of later ones now
 * and then.
 */
function acceptedChange(
  { acceptedAt, askedAt }: Hook,
  at: number,
  isPing: boolean,
): Partial<Hook> | undefined {
  const asks = !isPing && askedAt === null
  if (!asks && !isDue(acceptedAt, at)) return undefined
  return { acceptedAt: at, ...(asks && { askedAt: at }) }
}

/** Anyone who knows the address can be refused as often as they like. */
const isRefusalDue = ({ lastRefused }: Hook, at: number): boolean =>
  isDue(lastRefused?.at ?? null, at)

/** A clock that was set back delays nothing for long. */
const isDue = (last: number | null, at: number): boolean =>
  last === null || Math.abs(at - last) >= recordEvery

/** Returns why a request is refused, or null. */
async function refusalOf(sent: SentHook, secret: string): Promise<HookRefusal | null> {
  const proof = proofOf(sent.headers)
  const signature = signatureOf(secret)
  let size = 0
  try {
    for await (const chunk of sent.bytes()) {
      size += chunk.length
      if (size > bodyMax) return 'too_large'
      signature.update(chunk)
    }
  } catch (error) {
    ignoreError('read the body of a request to a hook')(error)
    return 'incomplete'
  }
  const isRight = isProven(proof, secret, signature)
  if (proof.signatures.length + proof.secrets.length === 0) return 'no_secret'
  return isRight ? null : 'wrong_secret'
}
