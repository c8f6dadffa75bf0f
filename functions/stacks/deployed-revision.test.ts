import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import deploy from './deploy.ts'
import deployments from './deployments/list.ts'
import down from './down.ts'
import get from './get.ts'
import rollback from './rollback.ts'
import stop from './stop.ts'
import update from './update.ts'

const ask = ({ ports }: World, body: object = {}) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop' },
  body,
})
const changed = shop.replace('command: sleep 3600', 'command: sleep 7200')
const save = (here: World, compose: string) => call(update, ask(here, { compose }))

async function revisions(here: World) {
  const { json } = await call(get, { ...ask(here), body: undefined })
  return [json.revision, json.deployed_revision]
}

test('is null before the first deploy and after the stack was taken down', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  expect(await revisions(here)).toEqual([1, null])
  await call(deploy, ask(here))
  expect(await revisions(here)).toEqual([1, 1])
  await call(down, { ...ask(here), as: 'admin' })
  expect(await revisions(here)).toEqual([1, null])
})

test('stays when changes are saved or the stack is stopped, until the next deploy', async () => {
  const here = world()
  await givenStack(here)
  await save(here, changed)
  expect(await revisions(here)).toEqual([2, 1])
  await call(stop, ask(here))
  expect(await revisions(here)).toEqual([2, 1])
  await call(deploy, ask(here))
  expect(await revisions(here)).toEqual([2, 2])
})

test('follows a change that is taken back, although no container changes', async () => {
  const here = world()
  await givenStack(here)
  await save(here, changed)
  await save(here, shop)
  expect(await revisions(here)).toEqual([3, 1])
  const { json } = await call(deploy, ask(here))
  expect(json.steps.filter(({ kind }: { kind: string }) => kind === 'container')).toEqual([])
  expect(await revisions(here)).toEqual([3, 3])
})

test('stays after a deploy of some services and after one that failed', async () => {
  const here = world()
  await givenStack(here)
  await save(here, changed)
  await call(deploy, ask(here, { services: ['db'] }))
  expect(await revisions(here)).toEqual([2, 1])
  here.engine.failing = () => internalError('out of luck')
  expect((await call(deploy, ask(here))).json.status).toBe('failed')
  expect(await revisions(here)).toEqual([2, 1])
})

test('is the new revision after a rollback', async () => {
  const here = world()
  await givenStack(here)
  await save(here, changed)
  await call(deploy, ask(here))
  const { json } = await call(deployments, { ...ask(here), body: undefined })
  const first = json.at(-1).id
  await call(rollback, ask(here, { deployment_id: first }))
  expect(await revisions(here)).toEqual([3, 3])
})

test('is found by its files in records of earlier versions', async () => {
  const here = world()
  await givenStack(here)
  await save(here, changed)
  const { deployedRevision: _, ...stack } = present(await here.ports.stacks.find('shop'))
  await here.ports.stacks.replace(stack)
  expect(await revisions(here)).toEqual([2, 1])
})
