import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { newStoreFile, openedSqlite } from '../../local/harness/sqlite-store.ts'
import { sealedKeys } from '../store/sealed-keys.ts'
import { keyStoreContract } from '../testing/contract/key-store.ts'

describe('keys in SQLite', () =>
  keyStoreContract(async () => {
    const file = newStoreFile()
    const [one, other] = await Promise.all([openedSqlite(file), openedSqlite(file)])
    const outside = { current: 'k1', keys: { k1: randomBytes(32) } }
    return {
      one: sealedKeys(one.items, outside, 'the file'),
      other: sealedKeys(other.items, outside, 'the file'),
    }
  }))
