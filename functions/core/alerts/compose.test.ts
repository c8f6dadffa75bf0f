import { expect, test } from 'vitest'
import { alertEvent } from '../../../adapters/testing/contract/samples.ts'
import { outcomeOf, retryAfter } from './attempt.ts'
import { requestFor, signatureOf } from './compose.ts'
import { noticeOf, testNotice, withLink } from './notice.ts'

const event = alertEvent('e1')
const named = (ruleName: string) => noticeOf({ id: 'd1', event: { ...event, ruleName } })
const bodyOf = (...given: Parameters<typeof requestFor>) => JSON.parse(requestFor(...given).body)

test('formats an alert as a title and three lines', () => {
  expect([named('Busy').title, ...named('Busy').lines].join('\n')).toBe(
    `WARNING: Busy: web-1 on near
cpu_percent: 93.25 (alerts when above 90)
container web-1, host near
warning, firing at 2023-11-14T22:13:20.000Z`,
  )
  const over = { ...event, state: 'resolved' as const, value: null }
  const resolved = noticeOf({ id: 'd1', event: over })
  expect(resolved.title).toBe('Resolved: Busy container: web-1 on near')
  expect(resolved.lines[0]).toBe('cpu_percent: no value (alerts when above 90)')
  const gone = noticeOf({ id: 'd1', event: { ...over, isGone: true } })
  expect(gone.lines[0]).toBe('the container is gone')
  expect(gone.fields).toMatchObject({ event: { state: 'resolved', subject_gone: true } })
  expect(resolved.fields).toMatchObject({ event: { subject_gone: false } })
  expect(testNotice('d1', 'Ops', 0).title).toBe('Test of the channel Ops')
})

test('says what is known of the cause, in a line of its own', () => {
  const detail = 'curl: (7)\u001b[31m Failed to connect'
  expect(noticeOf({ id: 'd1', event: { ...event, detail } }).lines[1]).toBe(
    'curl: (7) [31m Failed to connect',
  )
})

test('a title is one line without control characters, whatever the name', () => {
  const { title } = named('a\r\nBcc: x\u0000\u202e\u2028\u2029b\u001b[31m')
  expect(title).toBe('WARNING: a Bcc: x b [31m: web-1 on near')
  expect(named('x'.repeat(5000)).title).toHaveLength(200)
  // A half of a character makes the whole message invalid at some receivers.
  expect(named(`${'x'.repeat(190)}😀`).title).toBe(`WARNING: ${'x'.repeat(190)}`)
})

test('disables markup and mentions in Slack', () => {
  const target = { kind: 'slack', url: 'https://hooks.example.org/x' } as const
  const { text, mrkdwn } = bodyOf(target, named('<!channel> & <http://evil|good> *b*'), 0)
  expect(mrkdwn).toBe(false)
  expect(text.split('\n')[0]).toBe(
    'WARNING: &lt;!channel&gt; &amp; &lt;http://evil|good&gt; *b*: web-1 on near',
  )
})

test('disables markup and mentions in Discord and stays within its limit', () => {
  const target = { kind: 'discord', url: 'https://discord.example.org/x' } as const
  const { content, allowed_mentions } = bodyOf(
    target,
    named('@everyone **b** [l](http://e) `c`'),
    0,
  )
  expect(allowed_mentions).toEqual({ parse: [] })
  expect(content.split('\n')[0]).toBe(
    '**WARNING\\: \\@everyone \\*\\*b\\*\\* \\[l\\]\\(http\\://e\\) \\`c\\`\\: web\\-1 on near**',
  )
  const long = { ...named('*'.repeat(300)), lines: Array(9).fill('*'.repeat(500)) }
  const cut = bodyOf(target, long, 0).content
  expect(cut.length).toBeLessThanOrEqual(2000)
  expect(cut.length).toBeGreaterThan(1900)
  expect(cut).toMatch(/(^|[^\\])(\\\\)*\\\*$/)
})

test('links to the alerts, and keeps the link whole', () => {
  const link = 'https://stacks.example.org/alerts'
  const linked = withLink(named('Busy'), { baseUrl: 'https://stacks.example.org', feedsUrl: null })
  expect(linked.link).toBe(link)
  const url = 'https://hooks.example.org/x'
  expect(bodyOf({ kind: 'slack', url }, linked, 0).text).toMatch(new RegExp(`\\n${link}$`))
  expect(bodyOf({ kind: 'discord', url }, linked, 0).content).toMatch(new RegExp(`\\n${link}$`))
  const ntfy = { kind: 'ntfy', server: 'https://ntfy.sh', topic: 't', token: null } as const
  expect(bodyOf(ntfy, linked, 0).click).toBe(link)
  const long = { ...linked, lines: Array(9).fill('*'.repeat(500)) }
  expect(bodyOf({ kind: 'discord', url }, long, 0).content).not.toContain('stacks.example')
  const nowhere = { baseUrl: null, feedsUrl: null }
  expect(withLink(named('Busy'), nowhere).link).toBeNull()
})

test('stays within the limits of Telegram and Pushover', () => {
  const long = { ...named('Busy'), title: 'x'.repeat(4095), lines: ['\u{1f600}'.repeat(600)] }
  const chat = { server: 'https://api.telegram.org', token: '1:a', chat: '1', thread: null }
  expect(bodyOf({ kind: 'telegram', ...chat }, long, 0).text).toHaveLength(4096)
  const keys = { token: 't'.repeat(30), user: 'u'.repeat(30), device: null }
  const { body } = requestFor({ kind: 'pushover', ...keys }, long, 0)
  const sent = new URLSearchParams(body)
  expect(sent.get('title')).toHaveLength(250)
  expect(sent.get('message')).toBe('\u{1f600}'.repeat(512))
})

test.each([
  ['info', 'firing', 4, '0', 'info', 'Accent'],
  ['warning', 'firing', 6, '0', 'warning', 'Warning'],
  ['critical', 'firing', 8, '1', 'failure', 'Attention'],
  ['critical', 'resolved', 4, '0', 'success', 'Good'],
] as const)('%s and %s: Gotify %i, Pushover %s, Apprise %s, Teams %s', (...given) => {
  const [severity, state, gotify, pushover, apprise, teams] = given
  const notice = noticeOf({ id: 'd1', event: { ...event, severity, state } })
  const server = 'https://a.example.org'
  expect(bodyOf({ kind: 'gotify', server, token: 't' }, notice, 0).priority).toBe(gotify)
  const keys = { token: 't'.repeat(30), user: 'u'.repeat(30), device: null }
  const { body } = requestFor({ kind: 'pushover', ...keys }, notice, 0)
  expect(new URLSearchParams(body).get('priority')).toBe(pushover)
  const place = { key: 'home', urls: null, tag: null }
  expect(bodyOf({ kind: 'apprise', server, ...place }, notice, 0).type).toBe(apprise)
  const { attachments } = bodyOf({ kind: 'teams', url: server }, notice, 0)
  expect(attachments[0].content.body[0].inlines[0].color).toBe(teams)
})

test.each([
  ['info', 'firing', 3],
  ['warning', 'firing', 4],
  ['critical', 'firing', 5],
  ['critical', 'resolved', 3],
] as const)('ntfy: %s and %s has priority %i', (severity, state, priority) => {
  const target = { kind: 'ntfy', server: 'https://ntfy.sh', topic: 't', token: null } as const
  const notice = noticeOf({ id: 'd1', event: { ...event, severity, state } })
  expect(bodyOf(target, notice, 0).priority).toBe(priority)
  expect(requestFor(target, notice, 0).headers.Authorization).toBeUndefined()
})

test('computes the signature shown in the documentation', () => {
  expect(signatureOf('a long random text', '{"delivery_id":"1"}')).toBe(
    'sha256=4797b6dd5c61b003256f1eaeaee4182bd65575dfe520ae73bc7942bc7d3dd407',
  )
})

test('the delay grows from seconds to an hour, with jitter, and honours Retry-After', () => {
  const failed = { ok: false, status: 500, error: 'responded with 500', retryAfter: null } as const
  const pause = (tries: number, chance: number, wanted: number | null = null) => {
    const outcome = outcomeOf({ tries }, { ...failed, retryAfter: wanted }, { now: 0, chance })
    return 'at' in outcome ? outcome.at / 1000 : outcome.state
  }
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((tries) => pause(tries, 0.5))).toEqual([
    ...[5, 20, 80, 320, 1280, 3600, 3600, 'dead'],
  ])
  expect([pause(1, 0), pause(1, 1)]).toEqual([3.75, 6.25])
  expect([pause(1, 0.5, 60_000), pause(1, 0.5, 86_400_000)]).toEqual([60, 3600])
  const final = outcomeOf({ tries: 1 }, { ...failed, final: true }, { now: 0, chance: 0 })
  expect(final).toEqual({ state: 'dead', error: 'responded with 500' })
  const done = outcomeOf({ tries: 1 }, { ok: true, status: 200 }, { now: 0, chance: 0 })
  expect(done).toEqual({ state: 'delivered' })
})

test.each([
  ['30', 30_000],
  ['0.5', 500],
  ['Thu, 01 Jan 1970 00:01:40 GMT', 90_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', null],
  [undefined, null],
])('parses Retry-After %s as %s ms', (header, wanted) => {
  expect(retryAfter(header, 10_000)).toBe(wanted)
})
