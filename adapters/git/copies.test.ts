import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Copies } from './copies.ts'

test('makes copies again after the directory could not be removed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'copies-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const parent = join(root, 'data')
  writeFileSync(parent, 'no directory')
  const copies = new Copies(join(parent, 'copies'), 2)
  await expect(copies.acquire('a')).rejects.toMatchObject({ code: 'ENOTDIR' })
  rmSync(parent)
  mkdirSync(parent)
  const copy = await copies.acquire('a')
  expect(copy.isNew).toBe(true)
  await copy.release(false)
})
