import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configuration } from './configuration.mjs'

const text = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const { Healthcheck } = configuration({ version: '1.0.0', created: '' })
const seconds = (nanoseconds: number) => nanoseconds / 1e9

test('the Dockerfile has the same health check', () => {
  const options = [
    `--interval=${seconds(Healthcheck.Interval)}s`,
    `--timeout=${seconds(Healthcheck.Timeout)}s`,
    `--start-period=${seconds(Healthcheck.StartPeriod)}s`,
    `--retries=${Healthcheck.Retries}`,
  ]
  expect(text('Dockerfile')).toContain(`HEALTHCHECK ${options.join(' ')} \\`)
})

test('a host that needs 5 s to start Node still gets a response of a slow service', () => {
  const [, waits] = /timeout: ([\d_]+)/.exec(text('health.mjs')) ?? []
  const left = seconds(Healthcheck.Timeout) - Number(waits?.replace('_', '')) / 1000
  expect(left).toBeGreaterThan(5)
})
