import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

const compose = 'services: {web: {image: "busybox:latest", command: sleep 60}}'
const long = 'a-stack-with-a-name-that-is-very-long-and-does-not-fit-anywhere'

async function withStacks() {
  const world = await clientWorld()
  await world.login()
  for (const name of ['blog', long, 'shop']) await stackOf(world, name, compose)
  return world
}

test.each(['--output json', '--output=json', '--output json --json name'])(
  '1: with %s a failure is a line of JSON on standard error',
  async (flags) => {
    await using world = await clientWorld()
    await world.login()
    const failure = await world.cli(`stacks get nope ${flags}`)
    expect([failure.code, failure.out]).toEqual([1, ''])
    expect(failure.err).toMatch(/^\{.*\}\n$/)
    expect(JSON.parse(failure.err)).toEqual({
      error: 'stack nope: there is no such stack',
      status: 404,
      reason: null,
      request_id: expect.stringMatching(/./),
      hint: null,
    })
  },
)

test('1, 2 and 3: failures as JSON with a reason, a suggestion, and without the service', async () => {
  await using world = await withStacks()
  const failed = async (words: string, options: { env?: Record<string, string> } = {}) => {
    const { code, err } = await world.cli(words, options)
    return { code, ...JSON.parse(err) }
  }
  expect(await failed('stacks get shpo --output json')).toMatchObject({
    code: 1,
    status: 404,
    hint: 'did you mean shop?',
  })
  expect(await failed('stacks deploy shop --revision 9 --output json')).toMatchObject({
    code: 1,
    status: 409,
    reason: 'stale-revision',
  })
  expect(await failed('stacks deploy shop --pull now --output json')).toMatchObject({
    code: 2,
    error: '--pull "now": must be missing, always or never',
    status: null,
    hint: 'run: cli stacks deploy --help',
  })
  expect(
    await failed('stacks list', { env: { CLI_OUTPUT: 'json', CLI_TOKEN: 'x' } }),
  ).toMatchObject({ code: 3, status: 401 })
})

test('1: a failure is text with another form, and where a started command has the flag', async () => {
  await using world = await withStacks()
  for (const words of [
    'stacks get nope --output yaml',
    'stacks get nope --output name',
    'containers exec nope tool --output json',
  ]) {
    const { code, err } = await world.cli(words, { env: { CLI_OUTPUT: 'table' } })
    expect([code, err]).toEqual([1, expect.stringMatching(/^cli: /)])
  }
})

test('0: a list in every form', async () => {
  await using world = await withStacks()
  const out = async (words: string | string[]) => {
    const ended = await world.cli(words)
    expect(ended).toMatchObject({ code: 0, err: '' })
    return ended.out
  }
  const json = await out('stacks list --output json')
  expect(parse(await out('stacks list --output yaml'))).toEqual(JSON.parse(json))
  const names = `${long}\nblog\nshop\n`
  expect(await out('stacks list --output name')).toBe(names)
  expect(await out('stacks list -q')).toBe(names)
  expect(await out('stacks list --quiet --filter name=*o*g*')).toBe(`${long}\nblog\n`)
  expect(JSON.parse(await out('stacks list --json name,status'))[2]).toEqual({
    name: 'shop',
    status: 'running',
  })
  expect(await out(['ls', '--jq', '.[] | select(.name == "shop") | .status'])).toBe('running\n')
  expect((await out('ls --filter name=shop')).split('\n').slice(1)).toEqual([
    expect.stringMatching(/^shop +Cellar +running/),
    '',
  ])
  expect(JSON.parse(await out('ls --filter name=shop --output json'))).toMatchObject([
    { name: 'shop' },
  ])
  expect(await out('containers list --host all -q')).toContain('shop-web-1\n')
  expect(await out('whoami --jq .username')).toBe('ada\n')
  expect(await out('whoami --output name')).toBe('ada\n')
  expect(parse(await out('settings list --output yaml'))).toHaveProperty([
    'auth.session_idle_minutes',
  ])
})

test('2: a field that the response does not have', async () => {
  await using world = await withStacks()
  for (const words of ['ls --json nme', 'ls --filter nme=x']) {
    const { code, out, err } = await world.cli(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/there is no field "nme"\n {2}the fields are name, host, /)
  }
})

test('0: a table fits the terminal; with --wide it does not', async () => {
  await using world = await withStacks()
  const env = { NO_COLOR: '1' }
  const fitted = await world.cli('stacks list', { columns: 60, env })
  expect(Math.max(...fitted.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  expect(fitted.out).toMatch(/^a-stack-.*….*anywhere +Cellar +running/m)
  for (const wide of [
    await world.cli('stacks list --wide', { columns: 60, env }),
    await world.cli('stacks list'),
  ])
    expect(wide.out).toContain(long)
})

/** Watches and records what is written. */
function watching(world: Awaited<ReturnType<typeof withStacks>>, words: string, columns?: number) {
  const seen = { out: '', err: '', interrupt: () => {} }
  const ended = world.cli(words, {
    ...(columns && { columns }),
    onOut: (text) => {
      seen.out += text
    },
    onNote: (text) => {
      seen.err += text
    },
    onInterrupt: (send) => {
      seen.interrupt = send
    },
  })
  return Object.assign(seen, { ended })
}

test('130: --watch prints what has changed, through an outage of the service', async () => {
  await using world = await withStacks()
  const seen = watching(world, 'ls -q --watch')
  await expect.poll(() => seen.out).toContain('shop\n')
  await world.away()
  await expect.poll(() => seen.err, { timeout: 8000 }).toContain('connection refused')
  await world.back()
  await world.login()
  await world.cli('stacks delete blog --yes')
  await expect.poll(() => seen.out, { timeout: 8000 }).toBe(`${long}\nblog\nshop\n${long}\nshop\n`)
  seen.interrupt()
  expect((await seen.ended).code).toBe(130)
})

test('130: --watch redraws a table on a terminal, without control characters of others', async () => {
  await using world = await withStacks()
  const seen = watching(world, 'ls --watch', 60)
  await expect.poll(() => seen.out, { timeout: 8000 }).toMatch(/\u001b\[4A\r.*NAME/)
  seen.interrupt()
  expect((await seen.ended).code).toBe(130)
})

test('1 and 4: --watch ends with a failure that stays', async () => {
  await using world = await withStacks()
  const { code, err } = await world.cli('stacks status warehouse --watch')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('warehouse') })
})
