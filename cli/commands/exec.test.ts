import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

const compose = 'services: { web: { image: "busybox:latest", command: sleep 60 } }'

async function shop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  return world
}

test('the exit code is that of the command, and each stream goes its way', async () => {
  await using world = await shop()
  const words = ['containers', 'exec', 'shop-web-1', 'sh', '-c', 'echo out; echo err >&2; exit 7']
  expect(await world.cli(words)).toEqual({ code: 7, out: 'out\n', err: 'err\n' })
  expect(await world.cli('container exec shop-web-1 true')).toMatchObject({ code: 0 })
})

test('standard input is handed on to its end, whatever bytes it has', async () => {
  await using world = await shop()
  const stdin = `${'x'.repeat(100_000)}\0\u001b[2J\n`
  const ended = await world.cli('containers exec shop-web-1 cat', { stdin })
  expect(ended).toEqual({ code: 0, out: stdin, err: '' })
})

test('what follows the container is the command’s own, also flags, and -- is left out', async () => {
  await using world = await shop()
  for (const words of [
    'containers exec shop-web-1 echo --help -la --host x',
    'containers exec shop-web-1 -- echo --help -la --host x',
    'containers exec -- shop-web-1 echo --help -la --host x',
    'containers exec --host local -iT shop-web-1 echo --help -la --host x',
  ]) {
    expect(await world.cli(words)).toMatchObject({ code: 0, out: '--help -la --host x\n' })
  }
  expect((await world.cli('containers exec --help shop-web-1 ls')).out).toContain(
    '--workdir <path>',
  )
  const place = await world.cli('containers exec -u me -w /srv shop-web-1 id')
  expect(place.out).toBe('me\n')
  const shell = await world.cli('containers exec --tty shop-web-1', {
    stdin: 'stty size\nexit 3\n',
  })
  expect(shell).toEqual({ code: 3, out: '24 80\r\n', err: '' })
})

test('1, 2, 3, 4: what is not there, no container named, nobody, rights that are withdrawn', async () => {
  await using world = await shop()
  expect(await world.cli('containers exec none ls')).toMatchObject({ code: 1 })
  expect(await world.cli('containers exec')).toMatchObject({ code: 2 })
  expect(await world.cli('containers exec --none shop-web-1')).toMatchObject({ code: 2 })
  expect(await world.cli('containers exec shop-web-1 ls --token x')).toMatchObject({ code: 0 })
  expect(await world.cli('containers exec --token x shop-web-1 ls')).toMatchObject({ code: 3 })
  const running = world.cli('containers exec shop-web-1 sleep 60')
  await expect.poll(world.feeds).toBe(1)
  const account = (await world.ports.accounts.findByUsername('ada'))!
  await world.ports.accounts.replace({ ...account, disabled: true })
  expect(await running).toMatchObject({ code: 4, err: expect.stringContaining('revoked') })
})

test('1: a service that goes away', async () => {
  await using world = await shop()
  const running = world.cli('containers exec shop-web-1 sleep 60')
  await expect.poll(world.feeds).toBe(1)
  await world.away()
  expect(await running).toMatchObject({ code: 1, err: expect.stringContaining('connection') })
})
