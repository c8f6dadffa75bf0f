import { expect, test } from 'vitest'
import { alertChannel, alertEvent } from '../../../adapters/contract/samples.ts'
import { clientWorld } from '../../../local/harness/client.ts'

test('0: channels are listed, tried by name, and what did not arrive is shown', async () => {
  await using world = await clientWorld()
  await world.login()
  const { ports } = world
  await ports.alertChannels.create(alertChannel('c1', 'Ops'))
  expect((await world.cli('alerts channels')).out).toMatch(/c1 +Ops +webhook +https:\/\/hooks/)
  const tried = await world.cli('alert test ops')
  expect(tried).toMatchObject({
    code: 0,
    out: 'the message arrived at https://hooks.example.org\n',
  })

  await ports.alertDeliveries.add(alertEvent('e1'), ['c1'])
  expect((await world.cli('alerts deliveries --state pending')).out).toContain('e1.c1')
  const claimed = (await ports.alertDeliveries.claim('e1.c1', 1000))!
  await ports.alertDeliveries.settle(claimed, { state: 'dead', error: 'answered 500' })
  const { out } = await world.cli('alerts deliveries')
  expect(out.split('\n')[1]).toMatch(/Busy container +container web-1 +Ops +1 +.*answered 500 +e1/)
  expect((await world.cli('alerts channels')).out).toMatch(/dead .*: answered 500 +1/)
})

test('1: the message does not arrive, or there is no such channel; 2: no such state', async () => {
  await using world = await clientWorld()
  await world.login()
  await world.ports.alertChannels.create(alertChannel('c1', 'Ops'))
  world.ports.alertSender.answer = () => ({
    ...{ ok: false, status: 500, error: 'answered 500', retryAfter: null },
  })
  const failed = await world.cli('alerts test Ops')
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.err).toContain('answered 500')
  expect((await world.cli('alerts test none')).code).toBe(1)
  expect((await world.cli('alerts deliveries --state all')).code).toBe(2)
})
