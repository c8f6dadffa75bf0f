import { expect, test } from 'vitest'
import { themeMedia } from './theme-media.ts'

test.each([
  ['system', undefined, '(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'],
  ['light', 'light', 'all', 'not all'],
  ['dark', 'dark', 'not all', 'all'],
])('the bars of the browser follow the theme %s', (_, chosen, light, dark) => {
  expect([themeMedia('light', chosen), themeMedia('dark', chosen)]).toEqual([light, dark])
})
