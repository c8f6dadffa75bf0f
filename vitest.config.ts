import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', 'data/**'],
    globalSetup: ['local/harness/store.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Scenarios run real programs with real timeouts, and a busy machine is sometimes late. A test
    // that fails twice has failed.
    retry: 1,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
