import { expect, test } from 'vitest'
import { de } from './de.ts'
import { en } from './en.ts'

/** Returns the path of each text, with the number of values that it takes. */
function shape(texts: object, path = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const here = `${path}.${key}`
    if (typeof value === 'function') return [`${here}(${value.length})`]
    return typeof value === 'string' ? [here] : shape(value, here)
  })
}

/** Returns every text that takes no values. */
const plain = (texts: object): string[] =>
  Object.values(texts).flatMap((value) =>
    typeof value === 'string' ? [value] : typeof value === 'function' ? [] : plain(value),
  )

test('every language has the same texts', () => {
  expect(shape(de).sort()).toEqual(shape(en).sort())
})

test('no text is empty, has an exclamation mark or says successfully', () => {
  for (const text of [...plain(en), ...plain(de)]) {
    expect(text.trim(), text).not.toBe('')
    expect(text).not.toMatch(/!|successfully|erfolgreich/i)
  }
})

test('German texts are German', () => {
  const translated = shape(en).filter((path) => path !== '.product')
  const same = translated.filter((path) => {
    const of = (texts: unknown) =>
      path
        .slice(1)
        .split('.')
        .reduce((at, key) => (at as Record<string, unknown>)?.[key], texts)
    const [english, german] = [of(en), of(de)]
    return typeof english === 'string' && english.includes(' ') && english === german
  })
  expect(same).toEqual([])
})

test.each([
  ['English', en],
  ['German', de],
])('an operation has another word than a running container: %s', (_language, texts) => {
  const { deploymentStates, stepStates } = texts.stack
  const operations = [deploymentStates, stepStates, texts.backups.statuses]
  const containers = [texts.containerState, texts.serviceState, texts.stackStatus]
  const words = containers.map(({ running }) => running)
  for (const { running } of operations) expect(words).not.toContain(running)
})
