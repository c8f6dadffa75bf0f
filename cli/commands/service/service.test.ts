import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'
import { givenStack } from '../../../local/harness/world.ts'

test('0: pauses until it is told to resume', async () => {
  await using world = await clientWorld()
  await world.login()
  await givenStack(world)
  const paused = await world.cli('service pause --minutes 30 --detach')
  expect([paused.code, paused.out]).toEqual([0, 'paused for 30 minutes at most\n'])
  world.ports.clock.advance(30 * 60_000)
  const again = await world.cli('service pause --minutes 1 --detach')
  expect(again.out).toBe('paused for 1 minute at most\n')
  expect((await world.cli('operations list')).out).toContain('service_pause')
  expect((await world.cli('service resume')).out).toBe('the pause ends\n')
  world.ports.clock.advance(60_000)
})

test('0: waits until nothing runs', async () => {
  await using world = await clientWorld()
  await world.login()
  const { code, out, err } = await world.cli('service pause')
  expect([code, out]).toEqual([0, 'paused for 15 minutes at most, and nothing runs\n'])
  expect(err).toContain('to end the pause: cli service resume')
  world.ports.clock.advance(15 * 60_000)
})

test('1: resumes nothing that is not paused', async () => {
  await using world = await clientWorld()
  await world.login()
  const { code, err } = await world.cli('service resume')
  expect([code, err]).toEqual([1, expect.stringContaining('the service is not paused')])
})

test.each(['0', '61', 'x'])('2: --minutes %s', async (minutes) => {
  await using world = await clientWorld({ setUp: false })
  const { code, err } = await world.cli(`service pause --minutes ${minutes}`)
  expect([code, err]).toEqual([2, expect.stringContaining('must be a number from 1 to 60')])
})
