import { expect, test } from 'vitest'
import { lastLines } from './last-lines.ts'

const line = (time: number, text = `${time}`) => ({
  time: new Date(time).toISOString(),
  text,
  source: 'web',
  kind: 'stdout' as const,
})
const texts = (lines: ReturnType<typeof lastLines>) => lines.map(({ text }) => text)

test('the last lines of several containers are in the order of their times', () => {
  const web = [1, 4, 5].map((time) => line(time))
  const db = [2, 3, 6].map((time) => line(time))
  expect(texts(lastLines(lastLines([], web, 4), db, 4))).toEqual(['3', '4', '5', '6'])
})

test('lines of the same time stay in their order', () => {
  const lines = [line(1, 'a'), line(1, 'b'), line(1, 'c')]
  expect(texts(lastLines([], lines, 2))).toEqual(['b', 'c'])
})
