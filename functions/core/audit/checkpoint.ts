import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { AuditBlocks } from '../ports/audit-blocks.ts'
import type { AuditCheckpoint } from '../records/audit-chain.ts'
import { type KeyRing, keyOf } from '../records/keys.ts'

/** Returns a checkpoint as it is stored, signed with the current key. */
export function signCheckpoint(checkpoint: AuditCheckpoint, ring: KeyRing): string {
  const { seq, mac, latest, at } = checkpoint
  const signature = signatureOf(checkpoint, keyOf(ring, ring.current))
  return JSON.stringify({ seq, mac, latest, at, key: ring.current, signature })
}

/** Returns the stored checkpoint, or undefined if there is none that the service signed. */
export const checkpointOf = async ({ blocks, keys }: { blocks: AuditBlocks; keys: KeyRing }) =>
  readCheckpoint(await blocks.readCheckpoint(), keys)

/** Returns the checkpoint in a stored text, or undefined unless the service signed it. */
export function readCheckpoint(
  text: string | undefined,
  ring: KeyRing,
): AuditCheckpoint | undefined {
  if (text === undefined) return undefined
  const stored = parse(text)
  if (!stored) return undefined
  const { key, signature, ...checkpoint } = stored
  const secret = keyOf(ring, key)
  return secret && isSame(signature, signatureOf(checkpoint, secret)) ? checkpoint : undefined
}

const StoredCheckpoint = z.strictObject({
  seq: z.int().min(1),
  mac: z.string(),
  latest: z.number(),
  at: z.number(),
  key: z.string(),
  signature: z.string(),
})

function parse(text: string) {
  try {
    return StoredCheckpoint.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function signatureOf({ seq, mac, latest, at }: AuditCheckpoint, key: Uint8Array | undefined) {
  if (!key) throw new Error('the key of the audit rows is missing')
  return createHmac('sha256', key)
    .update(`container-stacks audit checkpoint\n${seq}\n${mac}\n${latest}\n${at}`)
    .digest('base64url')
}
