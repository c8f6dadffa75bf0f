import { expect, test } from 'vitest'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { dockerEngine } from '../engine.ts'
import { checkedId, checkedName } from './ids.ts'

test('404: an invalid ID', () => {
  for (const id of ['', '.', '..', '../../version', 'a/b', 'abc/exec?x=', 'a?b', 'a#b', 'a%2fb']) {
    expect(() => checkedId('container', id), id).toThrow(
      expect.objectContaining({ status: 404, message: expect.stringContaining('No container') }),
    )
  }
  expect(checkedId('container', 'web-1_a.b')).toBe('web-1_a.b')
  expect(() => checkedId('container', 'a'.repeat(129))).toThrow()
})

test('400: an invalid name', () => {
  expect(() => checkedName('network', 'a b')).toThrow(expect.objectContaining({ status: 400 }))
  expect(checkedName('network', 'shop_default')).toBe('shop_default')
})

test('an ID with a path never reaches the Engine', async () => {
  const { transport, calls } = await loopbackEngine((_, response) => json(response, 200, {}))
  const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/opt/stacks' })
  for (const id of ['../../version', 'abc/exec?x=', '%2e%2e', 'a\r\nb', 'a b']) {
    await expect(engine.container(id)).rejects.toMatchObject({ status: 404 })
    await expect(engine.act(id, { kind: 'kill' })).rejects.toMatchObject({ status: 404 })
    await expect(engine.logs(id, { tail: 1 })).rejects.toMatchObject({ status: 404 })
    await expect(engine.removeContainer(id, { force: true })).rejects.toMatchObject({ status: 404 })
  }
  expect(calls).toEqual([])
})
