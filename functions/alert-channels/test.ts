import { requireEveryHost } from '../core/access/grant.ts'
import { testNotice, withLink } from '../core/alerts/notice.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { AlertChannelTest, ChannelPath } from './schema.ts'

export default endpoint({
  summary: 'Test an alert channel',
  description:
    'Sends one message without retries and returns the result within ten seconds. After a refusal `answer` has the reason that the receiver gives: text that is not trusted, in one line of at most 300 characters, without the secrets of the channel. It is stored only as the response to an `Idempotency-Key`.',
  access: 'alerts:manage',
  path: ChannelPath,
  noTimeout: true,
  returns: AlertChannelTest,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'There is no such channel' },
  examples: {
    returns: {
      ok: false,
      status: 401,
      error: 'responded with 401',
      answer: 'you need to provide a valid access token or user credentials to access this api',
    },
  },

  async run(
    { path, caller },
    {
      alertChannels,
      alertSender,
      clock,
      random,
      site,
    }: Needs<'alertChannels' | 'alertSender' | 'clock' | 'random' | 'site'>,
  ) {
    requireEveryHost(caller, 'alert channels')
    const channel = await alertChannels.find(path.id)
    if (!channel) throw notFound('there is no such channel')
    const notice = withLink(testNotice(random.id(), channel.name, clock.now()), site)
    const result = await alertSender.send(channel.target, notice)
    const { ok, status } = result
    if (result.ok) return { ok, status, error: null, answer: null }
    return { ok, status, error: result.error, answer: result.answer ?? null }
  },
})
