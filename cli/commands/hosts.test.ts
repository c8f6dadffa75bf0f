import { expect, test } from 'vitest'
import { clientWorld } from '../../local/harness/client.ts'

test('0: hosts enrol prints the line that installs the agent, again for a host that exists', async () => {
  await using world = await clientWorld()
  await world.login()
  const first = await world.cli('hosts enrol nas --tag home')
  expect([first.code, first.out]).toEqual([
    0,
    expect.stringMatching(/^curl -fsSL \S+ \| AGENT_TOKEN=cse_\S+ sh\n$/),
  ])
  expect(first.err).toContain('run it as root on nas until')
  const again = await world.cli('host enroll NAS')
  expect(again.code).toBe(0)
  expect(again.out).not.toBe(first.out)
  expect((await world.cli('hosts list')).out).toMatch(/nas +agent +pending +home/)
})

test('0: hosts revoke cuts it off, and takes it off the list the second time', async () => {
  await using world = await clientWorld()
  await world.login()
  const { out } = await world.cli('hosts enrol nas --output json')
  const { id } = JSON.parse(out).host
  expect((await world.cli(`hosts revoke ${id}`)).code).toBe(0)
  expect((await world.cli('hosts list')).out).toMatch(/nas +agent +revoked/)
  expect((await world.cli(`hosts revoke ${id}`)).code).toBe(0)
  expect((await world.cli('hosts list')).out).not.toContain('nas')
  expect((await world.cli('hosts revoke local')).code).toBe(1)
})
