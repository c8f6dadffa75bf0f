import { expect, test } from 'vitest'
import { storageUsers } from './storage.ts'

const path = 'web/screens/a.ts'
const users = (text: string, at = path) => storageUsers([{ path: at, text }])

test.each([
  "localStorage.getItem('theme')",
  "window.sessionStorage['a'] = '1'",
  'const { theme } = localStorage',
  'makeTokens({ storage: localStorage })',
])('finds a use of the storage that may be denied: %s', (text) => {
  expect(users(text)).toEqual([
    `${path}: uses the browser's storage, use kept or keptInTab of web/browser/storage.ts`,
  ])
})

test.each([
  ['kept.getItem("theme")', path],
  ['/** What `localStorage` keeps. */', path],
  ['localStorage.clear()', 'web/browser/storage.ts'],
  ['localStorage.clear()', 'web/data/a.test.ts'],
])('accepts %s in %s', (text, at) => {
  expect(users(text, at)).toEqual([])
})
