import { describe, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

const compose = 'services: { web: { image: "busybox:latest", command: sleep 60 } }'

async function shop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  return world
}

test('returns the exit code of the command and keeps its streams separate', async () => {
  await using world = await shop()
  const words = ['containers', 'exec', 'shop-web-1', 'sh', '-c', 'echo out; echo err >&2; exit 7']
  expect(await world.cli(words)).toEqual({ code: 7, out: 'out\n', err: 'err\n' })
  expect(await world.cli('container exec shop-web-1 true')).toMatchObject({ code: 0 })
})

test('forwards binary standard input to its end', async () => {
  await using world = await shop()
  const stdin = `${'x'.repeat(100_000)}\0\u001b[2J\n`
  const ended = await world.cli('containers exec shop-web-1 cat', { stdin })
  expect(ended).toEqual({ code: 0, out: stdin, err: '' })
})

test('passes everything after the container to the command, except --', async () => {
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

test('1, 2, 3, 4: no such container, none given, not logged in, permission revoked', async () => {
  await using world = await shop()
  expect(await world.cli('containers exec none ls')).toMatchObject({ code: 1 })
  expect(await world.cli('containers exec')).toMatchObject({ code: 2 })
  expect(await world.cli('containers exec --none shop-web-1')).toMatchObject({ code: 2 })
  expect(await world.cli('containers exec shop-web-1 ls --token x')).toMatchObject({ code: 0 })
  expect(await world.cli('containers exec --token x shop-web-1 ls')).toMatchObject({ code: 3 })
  const running = world.cli('containers exec shop-web-1 sleep 60')
  await expect.poll(world.feeds).toBe(1)
  const account = present(await world.ports.accounts.findByUsername('ada'))
  await world.ports.accounts.replace({ ...account, disabled: true })
  expect(await running).toMatchObject({ code: 4, err: expect.stringContaining('revoked') })
})

test('1: the service stops', async () => {
  await using world = await shop()
  const running = world.cli('containers exec shop-web-1 sleep 60')
  await expect.poll(world.feeds).toBe(1)
  await world.away()
  expect(await running).toMatchObject({ code: 1, err: expect.stringContaining('connection') })
})

describe('stacks exec', () => {
  const scaled = `services:
  web: { image: "busybox:latest", command: sleep 60, scale: 2 }
  db: { image: "busybox:latest", command: sleep 60, container_name: main }
`
  const withScaled = async () => {
    const world = await clientWorld()
    await world.login()
    await stackOf(world, 'shop', scaled)
    return world
  }

  test('runs a command in the first running container, or in the one with the number', async () => {
    await using world = await withScaled()
    const ran = async (words: string) => (await world.cli(`stacks exec ${words}`)).out
    expect(await ran('shop web hostname')).toBe('shop-web-1\n')
    expect(await ran('--index 2 shop web hostname')).toBe('shop-web-2\n')
    expect(await ran('shop --index 2 web -- hostname')).toBe('shop-web-2\n')
    expect(await ran('shop db hostname')).toBe('main\n')
    await world.engine.act('shop-web-1', { kind: 'stop' })
    expect(await ran('shop web hostname')).toBe('shop-web-2\n')
    const words = ['stack', 'exec', 'shop', 'web', 'sh', '-c', 'exit 7']
    expect(await world.cli(words)).toMatchObject({ code: 7 })
    expect((await world.cli('stacks exec shop web echo --index 5 -T')).out).toBe('--index 5 -T\n')
  })

  test('1: no such stack or service, or no running container', async () => {
    await using world = await withScaled()
    const failure = async (words: string) => {
      const { code, err } = await world.cli(`stacks exec ${words}`)
      return [code, err.split('\n')[0]]
    }
    expect((await failure('none web ls'))[0]).toBe(1)
    expect(await failure('shop api ls')).toEqual([
      1,
      'cli: stack shop has no container of service api; it has services db, web',
    ])
    expect(await failure('--index 3 shop web ls')).toEqual([
      1,
      'cli: container 3 of service web does not exist',
    ])
    await world.engine.act('shop-web-1', { kind: 'stop' })
    expect(await failure('--index 1 shop web ls')).toEqual([
      1,
      'cli: container 1 of service web is exited',
    ])
    await world.engine.act('shop-web-2', { kind: 'stop' })
    expect(await failure('shop web ls')).toEqual([
      1,
      'cli: service web has no running container (exited)',
    ])
  })

  test('2: an argument is missing or is not a number', async () => {
    await using world = await withScaled()
    for (const words of ['', 'shop', 'shop --', '--index 0 shop web', '--index x shop web']) {
      expect((await world.cli(`stacks exec ${words}`.trim())).code, words).toBe(2)
    }
  })
})
