import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import down from './down.ts'
import plan from './plan.ts'

const app = `services: {app: {image: "busybox:latest", command: sleep 60, networks: [n]}}
networks: {n: {name: proxy, external: true}}`

const deployed = ({ ports }: World, name: string, as: TestCaller) =>
  call(deploy, { ports, as, path: { name }, body: {} })

/** Stacks `wiki` and `shop` with a service `app` each, in a network that was made by hand. */
async function givenTwo() {
  const here = world()
  here.engine.state.networks.set('proxy', { id: 'n1', name: 'proxy', labels: {} })
  await givenStack(here, 'wiki', { compose: app })
  await givenStack(here, 'shop', { compose: app, deployed: false })
  return here
}

const shares = /services\.app: name app in network proxy: container wiki-app-1 of stack wiki/

test('a plan and a deploy say which names two stacks share in a network', async () => {
  const here = await givenTwo()
  const { ports } = here
  const path = { name: 'shop' }
  const planned = await call(plan, { ports, as: 'operator', path, body: {} })
  expect(planned.json).toContainEqual({
    action: 'warning',
    kind: 'service',
    name: 'app',
    reason: expect.stringMatching(shares),
  })
  const viewed = await call(plan, { ports, as: 'viewer', path, body: {} })
  expect(viewed.text).toContain('a container of another stack has this name')
  expect(viewed.text).not.toContain('wiki')
  const { json } = await deployed(here, 'shop', 'operator')
  expect(json).toMatchObject({
    status: 'succeeded',
    warnings: [expect.stringMatching(shares)],
  })
  // What it had before is its own.
  await call(down, { ports, as: 'operator', path, body: {} })
  const again = await deployed(here, 'shop', 'operator')
  expect([again.json.status, again.json.warnings]).toEqual(['succeeded', []])
})

test('403: takes a name of a stack that the caller may not deploy', async () => {
  const here = await givenTwo()
  const blind = await givenRole(here, ['stacks:create', 'stacks:deploy'])
  const { status, json } = await deployed(here, 'shop', blind)
  expect([status, json.error]).toEqual([403, expect.stringContaining('of another stack has this')])
  expect(json.error).not.toContain('wiki')
})
