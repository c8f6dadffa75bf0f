import { expect, test } from 'vitest'
import { isName, nameFrom, nameIn } from './stack-draft.ts'

test.each([
  ['name: shop\nservices: {}\n', 'shop'],
  ['# a\nname: "shop-2" # the shop\n', 'shop-2'],
  ['services:\n  web:\n    name: web\n', undefined],
  ['name: ${NAME}\n', undefined],
])('the name in %j is %s', (compose, name) => {
  expect(nameIn(compose)).toBe(name)
})

test('the name of a directory becomes one of a stack', () => {
  expect(nameFrom('My Shop 2')).toBe('myshop2')
  expect(nameFrom('_hidden')).toBe('hidden')
})

test('names are lower case, without spaces', () => {
  expect(['shop', 'a-b_1', 'Shop', '-a', ''].map(isName)).toEqual([true, true, false, false, false])
})
