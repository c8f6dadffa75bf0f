import { requireEveryHost } from '../core/access/grant.ts'
import { testNotice } from '../core/alerts/notice.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { AlertChannelTest, ChannelPath } from './schema.ts'

export default endpoint({
  summary: 'Test an alert channel',
  description:
    'Sends one message without retries and returns the result within ten seconds. The receiver’s reply is not returned.',
  access: 'alerts:manage',
  path: ChannelPath,
  noTimeout: true,
  returns: AlertChannelTest,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'There is no such channel' },
  examples: { returns: { ok: false, status: 500, error: 'responded with 500' } },

  async run(
    { path, caller },
    {
      alertChannels,
      alertSender,
      clock,
      random,
    }: Needs<'alertChannels' | 'alertSender' | 'clock' | 'random'>,
  ) {
    requireEveryHost(caller, 'alert channels')
    const channel = await alertChannels.find(path.id)
    if (!channel) throw notFound('there is no such channel')
    const notice = testNotice(random.id(), channel.name, clock.now())
    const result = await alertSender.send(channel.target, notice)
    return { ok: result.ok, status: result.status, error: result.ok ? null : result.error }
  },
})
