import { expect, test } from 'vitest'
import { skewWarning } from './version-skew.ts'

test.each([
  ['0.1.0', '0.1.0'],
  ['0.1.0', '0.1.9'],
  ['0.1.0', '0.2.0'],
  ['1.4.2', '1.3.0'],
  ['1.9.0', '1.10.0-rc.1'],
  ['0.1.0', 'unknown'],
  ['0.1.0', ''],
])('client %s and service %s: no warning', (client, service) => {
  expect(skewWarning(client, service)).toBeUndefined()
})

test.each([
  ['0.1.0', '0.3.0', 'client'],
  ['0.3.0', '0.1.0', 'service'],
  ['1.9.0', '1.11.0', 'client'],
  ['1.0.0', '2.0.0', 'client'],
  ['2.0.0', '1.9.0', 'service'],
  ['0.9.0', '1.0.0+build', 'client'],
])('client %s and service %s: upgrade the %s', (client, service, older) => {
  expect(skewWarning(client, service)).toBe(
    `the client ${client} and the service ${service} are more than one minor version apart: ` +
      `some commands may fail. Upgrade the ${older}.`,
  )
})
