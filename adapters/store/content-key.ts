import { createHmac, randomBytes } from 'node:crypto'
import { internalError } from '../../functions/core/errors.ts'
import { type Item, newRevision } from './item.ts'
import { ifUnreadable, open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

const place = { pk: 'content-key', sk: '-' }
const address = `${place.pk} ${place.sk}`

/** How often creating the key is tried again after another process did it at the same time. */
const triesMax = 5

/**
 * Returns a function that returns the digest of a content, 64 hex digits. Digests are keyed, so
 * that a guess of the content cannot be checked without the key. The key is random and stored,
 * encrypted, as the item (`content-key`, `-`): a rotation of the secret keys encrypts it again, so
 * digests stay the same and known contents are not stored twice.
 */
export function contentDigests(table: Table, keys: SecretKeys) {
  let key: Promise<Buffer> | undefined
  return async (content: Uint8Array): Promise<string> => {
    key ??= readOrCreate(table, keys).catch((error) => {
      key = undefined
      throw error
    })
    return createHmac('sha256', await key)
      .update(content)
      .digest('hex')
  }
}

async function readOrCreate(table: Table, keys: SecretKeys): Promise<Buffer> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const item = await table.get(place.pk, place.sk)
    const found = item && readKey(item, keys)
    if (found) return found
    // Its secret key was lost. With another key, known contents are stored once more.
    const unchanged = item && { if: '#rev = :seen', values: { seen: item.rev as number } }
    const id = keys.current
    const sealed = seal(keys, id, randomBytes(32), address)
    await table.put({ ...place, rev: newRevision(), key: id, sealed }, unchanged ?? absent)
  }
  throw internalError('The key of the digests could not be stored')
}

function readKey({ key, sealed }: Item, keys: SecretKeys): Buffer | undefined {
  try {
    return open(keys, key as string, sealed as Uint8Array, address)
  } catch (error) {
    return ifUnreadable(undefined)(error)
  }
}
