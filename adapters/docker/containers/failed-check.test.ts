import { expect, test } from 'vitest'
import { failedCheck } from './failed-check.ts'

/** Returns what is shown of health checks, as their exit code and output. */
const shown = (...checks: [ExitCode: number, Output: string][]) =>
  failedCheck({
    State: { Health: { Log: checks.map(([ExitCode, Output]) => ({ ExitCode, Output })) } },
  } as never)

test('shows the output of the last health check if it failed', () => {
  expect(shown([0, 'ok'], [1, 'curl: (7) Failed to connect\n'])).toBe('curl: (7) Failed to connect')
  expect(shown([1, 'refused'], [0, 'ok'])).toBeUndefined()
  expect(shown([1, ' \n'])).toBeUndefined()
  expect(shown()).toBeUndefined()
  expect(failedCheck({ State: {} } as never)).toBeUndefined()
})

test('says in words that the image has no shell', () => {
  const text =
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown'
  expect(shown([-1, text])).toContain('the image has no shell /bin/sh')
})

test('shows the end of a long output, in one line without control characters', () => {
  const line = shown([1, `${'x'.repeat(5000)}\r\n\u001b[31mlast\tword\u0000`])
  expect(line).toMatch(/^…x+ \[31mlast word$/)
  expect(line).toHaveLength(201)
})
