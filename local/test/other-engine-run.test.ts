import { expect, test, vi } from 'vitest'
import { runOnEngine } from './other-engine-run.mjs'

test('an Engine that is unknown counts as a failed test', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(runOnEngine('1', [])).toEqual({ passed: 0, failed: 1 })
  expect(error.mock.calls).toEqual([['Docker Engine 1: must be one of 26, 28, 28-containerd']])
  error.mockRestore()
})
