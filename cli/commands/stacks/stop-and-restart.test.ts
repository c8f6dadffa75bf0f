import { expect, test } from 'vitest'
import { internalError } from '../../../functions/core/errors.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const compose = `services:
  db: { image: "busybox:latest", command: sleep 60 }
  web: { image: "busybox:latest", command: sleep 60 }
`

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  return world
}

test('0: a stop prints a line for each container without a terminal', async () => {
  await using world = await withShop()
  const { code, out, err } = await world.cli('stacks stop shop')
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^shop is stopped: 2 changes in .*\n$/),
  })
  for (const name of ['shop-db-1', 'shop-web-1'])
    expect(err.match(new RegExp(`^removed +container ${name} `, 'gm'))).toHaveLength(1)
})

test('0: a restart after a stop shows its own steps', async () => {
  await using world = await withShop()
  await world.cli('stacks restart shop')
  const { code, err } = await world.cli('stacks restart shop')
  expect(code).toBe(0)
  expect(err.match(/^restarted +container shop-web-1 /gm)).toHaveLength(1)
})

test('0: draws the steps on a terminal, prints JSON or nothing on request', async () => {
  await using world = await withShop()
  const drawn = await world.cli('stacks restart shop', { columns: 80 })
  expect(drawn.err).toMatch(/✔.* container shop-web-1 .*restarted/)
  const json = await world.cli('stacks restart shop --progress json')
  const lines = json.err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const ended = { stack: 'shop', status: 'succeeded' }
  expect(lines).toContainEqual(expect.objectContaining(ended))
  expect(lines).toContainEqual(expect.objectContaining({ name: 'shop-web-1' }))
  expect((await world.cli('stacks restart shop --progress quiet', { columns: 80 })).err).toBe('')
  expect((await world.cli('stacks restart shop --progress plain', { columns: 80 })).err).toMatch(
    /^restarted +container/m,
  )
  expect((await world.cli('stacks stop shop --progress loud')).code).toBe(2)
})

test('1: a failed stop says so; 1: there is no such stack', async () => {
  await using world = await withShop()
  world.engine.failing = (step) =>
    step.action === 'remove' ? internalError('out of luck') : undefined
  const { code, out, err } = await world.cli('stacks stop shop')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/cli: the stop failed: .*out of luck/)
  expect((await world.cli('stacks stop nothing')).code).toBe(1)
})

test('0: --output json is the operation that the request started', async () => {
  await using world = await withShop()
  await world.cli('stacks restart shop')
  const { out } = await world.cli('stacks restart shop --output json')
  const shown = JSON.parse(out)
  expect(shown).toMatchObject({ kind: 'restart', stack: 'shop', status: 'succeeded' })
  const [newest] = JSON.parse((await world.cli('stacks deployments shop --output json')).out)
  expect(newest.id).toBe(shown.id)
})
