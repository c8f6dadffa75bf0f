import { expect, test } from 'vitest'
import { present } from '../present.ts'
import type { NewWorld } from './world.ts'

const passkey = {
  id: 'k1',
  credentialId: 'Y3JlZGVudGlhbA',
  publicKey: 'a2V5',
  counter: 0,
  name: 'laptop',
  isSynced: false,
  createdAt: 1,
  lastUsedAt: null,
}
const set = { id: 's1', accountId: 'ada', passkeys: [passkey] }

/** Tests the port `Passkeys`, except what `collectionContract` covers. */
export function passkeysContract(newWorld: NewWorld) {
  test('returns a set unchanged in every process until it is removed', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.passkeys.create(set)).toBe(true)
    expect(await peer.passkeys.find('s1')).toEqual({ ...set, revision: expect.any(Number) })
    expect(await peer.passkeys.remove('s1')).toBe(true)
    expect(await stores.passkeys.find('s1')).toBeUndefined()
  })

  test('fifty concurrent uses of what was read: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    await stores.passkeys.create(set)
    const read = present(await stores.passkeys.find('s1'))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).passkeys.replace({
          ...read,
          passkeys: [{ ...passkey, counter: index + 1 }],
        }),
      ),
    )
    expect(answers.filter(Boolean)).toEqual([await stores.passkeys.find('s1')])
  })
}
