import { expect, test } from 'vitest'
import { alertChannel, alertEvent } from '../../../adapters/testing/contract/samples.ts'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'

test('0: lists channels, tests one by name and shows dead deliveries', async () => {
  await using world = await clientWorld()
  await world.login()
  const { ports } = world
  await ports.alertChannels.create(alertChannel('c1', 'Ops'))
  expect((await world.cli('alerts channels')).out).toMatch(/c1 +Ops +webhook +https:\/\/hooks/)
  expect((await world.cli('alerts channels ops')).out).toMatch(/^secrets +url, secret$/m)
  const tried = await world.cli('alert test ops')
  expect(tried).toMatchObject({
    code: 0,
    out: 'the message arrived at https://hooks.example.org\n',
  })

  await ports.alertDeliveries.add(alertEvent('e1'), ['c1'])
  expect((await world.cli('alerts deliveries --state pending')).out).toContain('e1.c1')
  const claimed = present(await ports.alertDeliveries.claim('e1.c1', 1000))
  await ports.alertDeliveries.recordAttempt(claimed, { state: 'dead', error: 'responded with 500' })
  const { out } = await world.cli('alerts deliveries')
  expect(out.split('\n')[1]).toMatch(
    /Busy container +container web-1 +Ops +1 +.*responded with 500 +e1/,
  )
  const retried = await world.cli('alerts deliveries retry e1.c1')
  expect(retried).toMatchObject({ code: 0, out: 'it is sent again to Ops\n' })
  expect((await world.cli('alerts deliveries retry e1.c1')).code).toBe(1)
  const again = present(await ports.alertDeliveries.claim('e1.c1', 2000))
  await ports.alertDeliveries.recordAttempt(again, { state: 'dead', error: 'responded with 500' })
  expect((await world.cli('alerts channels')).out).toMatch(/dead .*: responded with 500 +1/)
})

test('1: the message does not arrive, or the channel does not exist; 2: unknown state', async () => {
  await using world = await clientWorld()
  await world.login()
  await world.ports.alertChannels.create(alertChannel('c1', 'Ops'))
  world.ports.alertSender.answer = () => ({
    ok: false,
    status: 500,
    error: 'responded with 500',
    retryAfter: null,
  })
  const failed = await world.cli('alerts test Ops')
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.err).toContain('responded with 500')
  world.ports.alertSender.answer = () => ({
    ok: false,
    status: 401,
    error: 'responded with 401',
    retryAfter: null,
    answer: 'the token is wrong',
  })
  const refused = await world.cli('alerts test Ops')
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('responded with 401; the receiver says: the token is wrong'),
  })
  expect((await world.cli('alerts test none')).code).toBe(1)
  expect((await world.cli('alerts deliveries --state all')).code).toBe(2)
})
