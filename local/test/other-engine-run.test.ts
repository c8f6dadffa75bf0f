import { expect, test, vi } from 'vitest'
import { runOnEngine } from './other-engine-run.mjs'

test('an Engine that is unknown counts as a failed test', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(runOnEngine('1', [])).toEqual({ passed: 0, failed: 1 })
  const names = '26, 28, 28-containerd, 28-settings, 28-cgroup2'
  expect(error.mock.calls).toEqual([[`Docker Engine 1: must be one of ${names}`]])
  error.mockRestore()
})
