import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'

const url = 'oci://registry.example.org/team/shop'

test('0: makes, shows, rotates and deletes the hook of a source', async () => {
  await using world = await clientWorld()
  await world.login()
  await world.cli(`sources create shop ${url}`)
  const made = await world.cli('sources hook create shop')
  expect([made.code, made.out]).toEqual([
    0,
    expect.stringMatching(/address +http\S+\/api\/v1\/hooks\/source\.shop\.\S+\n/),
  ])
  const { secret } = present(await world.ports.sourceHooks.find('shop'))
  expect([made.out, made.err]).toEqual([
    expect.stringContaining(secret),
    expect.stringContaining('GitHub'),
  ])
  const shown = await world.cli('sources hook shop')
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('source.shop.')])
  expect(shown.out).not.toContain(secret)
  const rotated = await world.cli('sources hook rotate shop --yes')
  const { secret: other } = present(await world.ports.sourceHooks.find('shop'))
  expect([rotated.code, rotated.out]).toEqual([0, expect.stringContaining(other)])
  expect(other).not.toBe(secret)
  const gone = await world.cli('sources hook delete shop --yes')
  expect(gone.out).toBe('the hook of the source shop is deleted\n')
})

test('1: a source without a hook says how to make one', async () => {
  await using world = await clientWorld()
  await world.login()
  await world.cli(`sources create shop ${url}`)
  const shown = await world.cli('sources hook shop')
  expect([shown.code, shown.err]).toEqual([
    1,
    expect.stringContaining('cli sources hook create shop'),
  ])
})

test('2: nothing is changed without a terminal or --yes', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli('sources hook delete shop')).code).toBe(2)
  expect((await world.cli('sources hook rotate shop')).code).toBe(2)
})
