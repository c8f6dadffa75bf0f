import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { findProcess } from '../setup/processes.mjs'
import { registerRun } from './test-runs.mjs'

test('finds runs that are alive, and removes the files of those that ended', () => {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-runs-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const write = (pid: number, text: string) => writeFileSync(join(directory, `${pid}`), text)
  const parent = present(findProcess(process.ppid))
  const ended = present(spawnSync('true').pid)
  expect(registerRun(directory)).toEqual([])
  write(parent.pid, parent.started)
  write(ended, '1')
  // A process that began at another time has the ID of a killed run.
  write(1, '4711')
  expect(registerRun(directory)).toEqual([parent.pid])
  expect(readdirSync(directory).map(Number).sort()).toEqual([process.pid, parent.pid].sort())
})

test('the file of a run is removed with its process', () => {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-runs-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const module = new URL('test-runs.mjs', import.meta.url)
  const script = `import { registerRun } from '${module}'
    import { readdirSync } from 'node:fs'
    registerRun('${directory}')
    console.log(readdirSync('${directory}').length)`
  const { pid, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(stdout.trim()).toBe('1')
  expect(existsSync(join(directory, `${pid}`))).toBe(false)
})
