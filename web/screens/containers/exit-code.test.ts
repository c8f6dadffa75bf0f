import { expect, test } from 'vitest'
import { exitCodeOf } from './exit-code.ts'

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))

test('the result of a command is its exit code', () => {
  expect(exitCodeOf(bytes({ status: 'Success' }))).toBe('0')
  const causes = [{ reason: 'ExitCode', message: '137' }]
  expect(exitCodeOf(bytes({ status: 'Failure', details: { causes } }))).toBe('137')
})
