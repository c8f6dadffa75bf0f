import { expect, test } from 'vitest'
import { enrolmentWarning } from './enrolment-warning.ts'

test.each([
  ...['http://localhost:8080', 'https://LOCALHOST.', 'http://127.0.0.1:8080', 'http://127.9.9.9'],
  ...[
    'https://[::1]:8443',
    'http://0.0.0.0:8080',
    'http://0x7f.1',
    'http://a.localhost',
    'http://[::]',
  ],
])('%s leads other machines to themselves', (base) => {
  expect(enrolmentWarning(base)).toContain('is a loopback address')
})

test.each(['http://nas.lan:8080', 'http://192.168.1.2', 'http://stacks.example.org'])(
  '%s carries the token in clear text',
  (base) => expect(enrolmentWarning(base)).toContain('plain HTTP'),
)

test('there is nothing to say of an https address', () => {
  expect(enrolmentWarning('https://stacks.example.org')).toBeNull()
  expect(enrolmentWarning('https://192.168.1.2:8443')).toBeNull()
})
