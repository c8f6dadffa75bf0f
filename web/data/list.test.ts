import { effect } from '@preact/signals'
import { expect, test } from 'vitest'
import { keepOrder, makeList } from './list.ts'

const row = (id: string, state = 'running') => ({ id, state })

test('one changed row of a thousand renders one row', () => {
  const list = makeList<ReturnType<typeof row>>(({ id }) => id)
  const values = Array.from({ length: 1000 }, (_, index) => row(`c${index}`))
  list.update(values)
  let renders = 0
  for (const one of list.rows.values()) {
    effect(() => {
      renders += one.value ? 1 : 0
    })
  }
  let orders = 0
  effect(() => {
    orders += list.order.value.length > 0 ? 1 : 0
  })
  renders = 0
  orders = 0
  list.update(values.map(({ id }) => row(id, id === 'c7' ? 'exited' : 'running')))
  expect([renders, orders]).toEqual([1, 0])
  expect(list.rows.get('c7')?.value.state).toBe('exited')
})

test('rows come, go and move', () => {
  const list = makeList<ReturnType<typeof row>>(({ id }) => id)
  list.update([row('a'), row('b')])
  const b = list.rows.get('b')
  list.update([row('b'), row('c')])
  expect(list.order.value).toEqual(['b', 'c'])
  expect(list.rows.has('a')).toBe(false)
  expect(list.rows.get('b')).toBe(b)
})

test('a row changes only if a value anywhere in it does', () => {
  const list = makeList<{ id: string; ports: unknown }>(({ id }) => id)
  const of = (port: unknown) => [{ id: 'a', ports: [{ public: 80, ip: null }, port] }]
  let renders = 0
  list.update(of({ public: 81 }))
  effect(() => {
    renders += list.rows.get('a')?.value ? 1 : 0
  })
  list.update(of({ public: 81 }))
  expect(renders).toBe(1)
  for (const port of [{ public: 82 }, { public: 82, ip: null }, { private: 82, ip: null }, null]) {
    list.update(of(port))
  }
  expect(renders).toBe(5)
})

test('an order stays the same object while its ids do', () => {
  const keep = keepOrder()
  const first = keep(['a', 'b'])
  expect(keep(['a', 'b'])).toBe(first)
  expect(keep(['b', 'a'])).toEqual(['b', 'a'])
  expect(keep(['b'])).toEqual(['b'])
})
