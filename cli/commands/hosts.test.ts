import { expect, test } from 'vitest'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { upgradeAgents } from '../../functions/core/agent-upgrades/upgrade-agents.ts'
import { clientWorld } from '../../local/harness/client.ts'
import { connectAgent } from '../../local/harness/connect-agent.ts'
import { givenHost, givenStack } from '../../local/harness/world.ts'

const name = hostNameOf('nas')

test('0: hosts enrol prints the install command, also for an existing host', async () => {
  await using world = await clientWorld()
  await world.login()
  const first = await world.cli('hosts enrol nas --tag home')
  expect([first.code, first.out]).toEqual([
    0,
    expect.stringMatching(/^curl -fsSL \S+ \| AGENT_TOKEN=cse_\S+ sh\n$/),
  ])
  expect(first.err).toContain('run it as root on nas until')
  expect(first.err).toMatch(/^ {2}AGENT_TOKEN=\S+ container-stacks-agent enrol --server \S+ &&/m)
  expect(first.err).toMatch(
    /^ {2}docker run .* --env AGENT_TOKEN=\S+ container-stacks:\S+ \S+ run$/m,
  )
  const again = await world.cli('host enroll NAS')
  expect(again.code).toBe(0)
  expect(again.out).not.toBe(first.out)
  expect((await world.cli('hosts list')).out).toMatch(/nas +agent +pending +home/)
})

test('1: hosts enrol replaces a connected agent only with --replace', async () => {
  await using world = await clientWorld()
  await world.login()
  await givenHost(world, 'nas')
  const { hostConnections, clock } = world.ports
  const facts = { version: '1.0.0', hostname: 'nas' }
  const at = { processId: 'p', address: 'a:1', connectedAt: clock.now() }
  await hostConnections.beat('p', clock.now() + 60_000)
  await hostConnections.claim({ hostId: 'nas', ...at, facts })
  const { code, out, err } = await world.cli(['hosts', 'enrol', name])
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('revoke the host, or use --replace')
  expect((await world.cli(['hosts', 'enrol', name, '--replace'])).out).toContain('AGENT_TOKEN=')
})

test('0: hosts revoke disconnects a host, also when repeated; hosts delete removes it from the list', async () => {
  await using world = await clientWorld()
  await world.login()
  await givenHost(world, 'nas')
  expect((await world.cli('hosts revoke nas')).code).toBe(2)
  expect((await world.cli('hosts revoke nas --yes')).code).toBe(0)
  expect((await world.cli('hosts revoke nas --yes')).code).toBe(0)
  expect((await world.cli('hosts list')).out).toMatch(/^nas +Box NAS +agent +revoked/m)
  expect((await world.cli('hosts delete nas --yes')).code).toBe(0)
  expect((await world.cli('hosts list')).out).not.toContain('nas')
  expect((await world.cli('hosts revoke local --yes')).code).toBe(1)
})

test('1: hosts enrol explains what to do if the service does not know its address', async () => {
  await using world = await clientWorld()
  await world.login()
  const { addresses, site } = world.ports
  world.ports.site.baseUrl = null
  world.ports.addresses = { ...addresses, base: () => 'http://localhost:8080' }
  const first = await world.cli('hosts enrol nas')
  expect([first.code, first.out]).toEqual([1, ''])
  expect(first.err).toContain('nas is saved, but its agent cannot be installed yet')
  expect(first.err).toContain('Set SERVICE_BASE_URL to an address at which the host reaches')
  expect(first.err).toContain('then run: cli hosts enrol "nas"')
  expect((await world.cli('hosts enrol nas')).code).toBe(1)
  world.ports.site.baseUrl = 'http://localhost:8080'
  const local = await world.cli('hosts enrol nas')
  expect([local.code, local.err]).toEqual([0, expect.stringContaining('warning: localhost is')])
  Object.assign(world.ports, { addresses, site })
  expect((await world.cli('hosts enrol nas')).code).toBe(0)
})

test('0: hosts delete removes a host that never enrolled', async () => {
  await using world = await clientWorld()
  await world.login()
  const { out } = await world.cli('hosts enrol nas --output json')
  expect((await world.cli(`hosts delete ${JSON.parse(out).host.id} --yes`)).code).toBe(0)
  expect((await world.cli('hosts list')).out).not.toContain('nas')
})

async function withStacks() {
  const world = await clientWorld()
  await world.login()
  const far = await givenHost(world, 'nas')
  await givenStack(world, 'blog', { host: 'nas', deployed: false })
  await givenStack(world, 'shop', { host: 'nas' })
  far.off()
  return world
}

test('0: hosts delete names the stacks that it forgets', async () => {
  await using world = await withStacks()
  expect((await world.cli('hosts delete nas')).code).toBe(2)
  expect(await world.cli('host rm nas --yes')).toEqual({
    code: 0,
    out: `${name} is deleted\n`,
    err: 'forgotten: blog, shop; what they left on the host is still there\n',
  })
  expect((await world.cli('hosts list')).out).not.toContain('nas')
  expect((await world.cli('stacks list')).out).not.toContain('shop')
})

test('stacks delete says what helps, and forgets the stack with --force', async () => {
  await using world = await withStacks()
  const { code, err } = await world.cli('stacks delete shop --yes')
  expect([code, err]).toEqual([1, expect.stringContaining('\n  start the agent on that host;')])
  expect((await world.cli('stacks delete shop --yes --force')).code).toBe(0)
  expect((await world.cli('stacks list')).out).not.toContain('shop')
})

test('0: hosts prune-policy looks first, saves, keeps what no flag names, and deletes', async () => {
  await using world = await clientWorld()
  await world.login()
  world.engine.state.unnamed.add('sha256:0123456789abcdef')
  const policy = (flags = '') => world.cli(`hosts prune-policy local ${flags}`.trim())
  expect((await policy()).out).toContain('no image is removed on a schedule')
  const first = await policy('--dry-run')
  expect(first.out).toMatch(/^\S* *0123456789ab .* remove$/m)
  expect(first.err).toContain('images to remove on')
  const waits = await policy('--dry-run --what unused --unused-days 30')
  expect(waits.out).toMatch(/0123456789ab .* not before \d/)
  expect(await world.ports.prunePolicies.list()).toEqual([])
  const saved = await world.cli([
    ...['hosts', 'prune-policy', 'local', '--schedule', '0 4 * * 0'],
    ...['--what', 'unused', '--unused-days', '30'],
  ])
  expect([saved.code, saved.out]).toEqual([
    0,
    expect.stringMatching(
      /images that were unused for 30 days[\s\S]*0 4 \* \* 0 UTC[\s\S]*not yet/,
    ),
  ])
  expect((await policy('--unused-days 9')).out).toContain('unused for 9 days')
  expect((await policy('--what nameless --timezone Asia/Tokyo')).out).toMatch(
    /images without a name[\s\S]*0 4 \* \* 0 Asia\/Tokyo/,
  )
  expect((await policy('--delete')).out).toContain('has no prune policy now')
  expect(world.engine.state.unnamed.size).toBe(1)
})

test('2: hosts prune-policy names the flag that is missing or wrong', async () => {
  await using world = await clientWorld()
  await world.login()
  const wrong: [string, string][] = [
    ['--what unused', '--unused-days'],
    ['--what unused --unused-days 0', '--unused-days'],
    ['--unused-days 5', '--what unused'],
    ['--what volumes', '--what'],
    ['--what nameless', '--schedule'],
    ['--delete --dry-run', '--delete'],
  ]
  for (const [flags, named] of wrong) {
    const { code, err } = await world.cli(`hosts prune-policy local ${flags}`)
    expect([code, err]).toEqual([2, expect.stringContaining(named)])
  }
})

test('0 and 1: hosts upgrade waits for all agents, and says which was not upgraded', async () => {
  await using world = await clientWorld()
  await world.login()
  const nothing = await world.cli('hosts upgrade --yes')
  expect([nothing.code, nothing.out]).toEqual([0, 'there is nothing to upgrade\n'])
  await givenHost(world, 'nas')
  await connectAgent('nas', world.ports)
  expect((await world.cli('hosts list')).out).toContain('0.0.1, outdated')
  await givenHost(world, 'old')
  await connectAgent('old', world.ports, { replaceable: undefined })
  const waiting = world.cli(['hosts', 'upgrade', '--yes'])
  const states = async () => (await world.ports.hosts.find('nas'))?.agent?.upgrade?.state
  await expect.poll(states).toBe('waiting')
  await upgradeAgents(world.ports, AbortSignal.any([]))
  const { code, out, err } = await waiting
  expect(err).toMatch(/OLD is skipped: .*enrol --replace/)
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/Box NAS +failed +0\.0\.1 +this installation/),
  ])
})
