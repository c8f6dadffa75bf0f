import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { filesOf } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import { deployedFiles } from './deployed-files.ts'

async function given() {
  const here = world()
  await givenStack(here, 'shop')
  const found = async () => present(await here.ports.stacks.find('shop'))
  return { here, files: filesOf(here), found }
}

test('files that only a newer revision has are not among those of the last deploy', async () => {
  const { here, files, found } = await given()
  const deployed = (await found()).files
  await files.put('later.conf', 'x')
  expect(await deployedFiles(await found(), here.ports)).toEqual(deployed)
})

test('the same after so many operations that the deploy is not found any more', async () => {
  const { here, files, found } = await given()
  const deployed = (await found()).files
  await files.put('later.conf', 'x')
  const ports = {
    ...here.ports,
    deployments: { ...here.ports.deployments, listByStack: async () => [] },
  }
  expect(await deployedFiles(await found(), ports)).toEqual(deployed)
})

test('the files of the last deploy include its seeds, which are not recorded as written', async () => {
  const { here, files, found } = await given()
  const before = await found()
  await files.put('data/seed', 'x')
  const deployed = (await found()).files
  await files.put('data/later', 'y')
  const stack = await found()
  const all = await here.ports.deployments.listByStack('shop', 1)
  const last = { ...present(all[0]), files: deployed }
  const ports = {
    ...here.ports,
    deployments: { ...here.ports.deployments, listByStack: async () => [last] },
  }
  expect(stack.written).toEqual(before.written)
  expect(await deployedFiles(stack, ports)).toEqual(deployed)
})
