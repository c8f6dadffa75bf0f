import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

const compose = 'services: {web: {image: "busybox:latest", command: sleep 60}}'

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  return world
}

test.each([
  ['stacks status shpo', 'did you mean shop?'],
  ['stacks deploy SHOPP', undefined],
  ['stacks stop shop wbe', 'did you mean web?'],
  ['containers logs shop-web-2', 'did you mean shop-web-1?'],
  ['containers list --host Cellra', 'did you mean Cellar?'],
  ['stacks create new --file shop.yaml --host Cellra', 'did you mean Cellar?'],
  ['stacks create new --file shop.yaml --host mars', 'hosts: Cellar'],
  ['users update adda --role viewer', 'did you mean ada?'],
  ['stacks status warehouse', undefined],
])('1: `cli %s`: %s', async (words, hint) => {
  await using world = await withShop()
  const { code, out, err } = await world.cli(words)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  if (hint) expect(err).toContain(`\n  ${hint}\n`)
  else expect(err).not.toContain('did you mean')
})

test('1: no name is suggested to those who may not list names, nor without a home', async () => {
  await using world = await withShop()
  const stdin = 'correct horse battery\n'
  await world.cli('roles create few containers:read')
  await world.cli('users create olga --role few', { stdin })
  await world.cli(['login', world.server, '--user', 'olga'], { stdin })
  const { err } = await world.cli('containers logs shop-web-1 --host Cellra')
  expect(err).not.toContain('did you mean')
  await world.login()
  const { token } = await world.config()
  const env = { CLI_SERVER: world.server, CLI_TOKEN: token, HOME: '' }
  const homeless = await world.cli('stacks status shpo', { env })
  expect(homeless).toMatchObject({ code: 1, err: expect.stringContaining('cli: ') })
  expect(homeless.err).not.toContain('no home directory')
})
