import { expect, test } from 'vitest'
import { enrolmentProblem, enrolmentWarning } from './enrolment-warning.ts'

test.each([
  ...['http://localhost:8080', 'https://LOCALHOST.', 'http://127.0.0.1:8080', 'http://127.9.9.9'],
  ...[
    'https://[::1]:8443',
    'http://0.0.0.0:8080',
    'http://0x7f.1',
    'http://a.localhost',
    'http://[::]',
  ],
])('warns that other machines cannot reach %s', (base) => {
  expect(enrolmentWarning(base)).toContain('is a loopback address')
})

test.each(['http://nas.lan:8080', 'http://192.168.1.2', 'http://stacks.example.org'])(
  'warns that %s sends the token in clear text',
  (base) => expect(enrolmentWarning(base)).toContain('plain HTTP'),
)

test('does not warn about an https address', () => {
  expect(enrolmentWarning('https://stacks.example.org')).toBeNull()
  expect(enrolmentWarning('https://192.168.1.2:8443')).toBeNull()
})

test('a loopback address that is not configured cannot work on another machine', () => {
  const problem = enrolmentProblem('http://localhost:8080', null)
  expect(problem).toContain('you reach it at localhost:8080')
  expect(problem).toContain('Set SERVICE_BASE_URL')
  expect(enrolmentProblem('http://[::1]:8080', null)).toContain('you reach it at [::1]:8080')
  expect(enrolmentProblem('http://localhost:8080', 'http://localhost:8080')).toBeNull()
  expect(enrolmentProblem('http://nas.lan:8080', null)).toBeNull()
})
