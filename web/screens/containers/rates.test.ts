import { expect, test } from 'vitest'
import { ratesOf } from './rates.ts'

const sample = (second: number, network_rx: number) => ({
  time: new Date(second * 1000).toISOString(),
  network_rx,
  network_tx: 0,
  block_read: 0,
  block_write: 0,
})

test('a rate is the growth of a counter per second', () => {
  expect(ratesOf([sample(0, 100), sample(15, 400), sample(16, 410)], 'network_rx')).toEqual([
    null,
    20,
    10,
  ])
})

test('a restart and a gap have no rate', () => {
  const samples = [sample(0, 100), sample(15, 5), sample(400, 900), sample(400, 950)]
  expect(ratesOf(samples, 'network_rx')).toEqual([null, null, null, null])
})
