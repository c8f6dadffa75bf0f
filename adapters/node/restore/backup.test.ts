import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBackup } from './backup.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a directory without a manifest is not a backup', async () => {
  const folder = newFolder()
  for (const path of [folder, join(folder, 'missing')])
    await expect(openBackup(path, 'identity')).rejects.toThrow(`${path} is not a backup`)
})

test('a directory that the user of the program may not read is not called incomplete', async () => {
  // Tests run as root, who may read everything: a link to itself cannot be read either.
  const path = join(newFolder(), 'loop')
  symlinkSync(path, path)
  const user = process.getuid?.()
  await expect(openBackup(path, 'identity')).rejects.toThrow(
    `${path} cannot be read by user ${user} (ELOOP)`,
  )
})
