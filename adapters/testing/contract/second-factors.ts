import { expect, test } from 'vitest'
import { present } from '../present.ts'
import type { NewWorld } from './world.ts'

const factor = {
  id: 'f1',
  accountId: 'ada',
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  lastStep: 0,
  recoveryHashes: ['hash'],
  createdAt: 1,
}

/** Tests the port `SecondFactors`, except what `collectionContract` covers. */
export function secondFactorsContract(newWorld: NewWorld) {
  test('returns a factor unchanged in every process until it is removed', async () => {
    const { stores, peer } = await newWorld()
    expect(await stores.secondFactors.create(factor)).toBe(true)
    expect(await peer.secondFactors.create(factor)).toBe(false)
    expect(await peer.secondFactors.find('f1')).toEqual({ ...factor, revision: expect.any(Number) })
    expect(await peer.secondFactors.remove('f1')).toBe(true)
    expect(await stores.secondFactors.find('f1')).toBeUndefined()
  })

  test('fifty concurrent uses of what was read: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    await stores.secondFactors.create(factor)
    const read = present(await stores.secondFactors.find('f1'))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).secondFactors.replace({ ...read, lastStep: index + 1 }),
      ),
    )
    expect(answers.filter(Boolean)).toEqual([await stores.secondFactors.find('f1')])
  })
}
