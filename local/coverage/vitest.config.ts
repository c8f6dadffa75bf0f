import { defineConfig } from 'vitest/config'

/**
 * Measures how much of `functions/` its own tests run: the tests beside the code, over ports in
 * memory. Code that only a scenario or an adapter's test reaches counts as not run. The command
 * fails below the thresholds.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    include: ['functions/**/*.test.ts'],
    globalSetup: ['local/harness/store.ts'],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['functions/**/*.ts'],
      exclude: ['functions/**/*.test.ts', 'functions/**/testing/**'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
      thresholds: { statements: 94, branches: 88, functions: 95, lines: 96 },
    },
  },
})
