import { expect, test } from 'vitest'
import { ApiFailure, failed } from '../failure.ts'
import { speakOfFlags } from './speak-of-flags.ts'

const declared = {
  args: '<name> [...permissions]',
  flags: {
    '--tail <lines>': '',
    '-t, --tag <...tag>': '',
    '--expires-in-days <days>': '',
    '--on-drift <what>': '',
    '--keep-last <count>': '',
  },
  fields: { target: '--to', 'target.host_key': '--host-key' },
}
const said = (message: string) =>
  (speakOfFlags(new ApiFailure(400, message, 1, { hint: 'run: x' }), declared) as Error).message

test.each([
  ['query.tail: must be a number', '--tail: must be a number'],
  ['body.tags[1]: must be 1 to 32', '--tag: must be 1 to 32'],
  ['body.expires_in_days: must be', '--expires-in-days: must be'],
  ['body.retention.keep_last: must be', '--keep-last: must be'],
  ['body.target.path: must not', '--to: must not'],
  ['body.target.host_key: must be', '--host-key: must be'],
  ['path.name: must be', '<name>: must be'],
  ['body.permissions[0]: must be', '[...permissions]: must be'],
  ['body.password: must have', 'password: must have'],
  ['body.a.b[0].c: must', 'a.b[0].c: must'],
  ['body.constructor.valueOf: must', 'constructor.valueOf: must'],
  ['query.tail: x; body.name: y', '--tail: x; <name>: y'],
  ['deploy with `on_drift: import` to use it', 'deploy with --on-drift import to use it'],
  ['set `on_drift` or `other_field`', 'set --on-drift or `other_field`'],
  ['set `tail`', 'set --tail'],
  ['`all` is only for lists', '`all` is only for lists'],
])('%s: %s', (message, expected) => expect(said(message)).toBe(expected))

test('leaves other words alone, such as the places in a compose file', () => {
  for (const text of [
    'services.web.tail: must be a number',
    'compose.yaml: body.tail is not allowed',
    'the query is not valid',
    'body: unknown field "x"',
  ]) {
    expect(said(text)).toBe(text)
  }
})

test('keeps exit code and hint, and other errors', () => {
  const given = failed('the deployment failed: set `on_drift`', { hint: 'run: x' })
  const words = 'the deployment failed: set --on-drift'
  expect(speakOfFlags(given, declared)).toMatchObject({
    message: words,
    exitCode: 1,
    hint: 'run: x',
  })
  const other = new TypeError('query.tail: no')
  expect(speakOfFlags(other, declared)).toBe(other)
  expect(speakOfFlags(undefined, declared)).toBeUndefined()
})
