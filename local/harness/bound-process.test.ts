import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { boundToParent } from './bound-process.ts'

const module = new URL('bound-process.ts', import.meta.url)

test('dies with a parent that is killed', async () => {
  const script = `import { spawn } from 'node:child_process'
    import { boundToParent } from '${module}'
    const child = spawn(...boundToParent('sleep', ['1000']), { stdio: 'ignore' })
    child.once('spawn', () => console.log(child.pid))`
  const words = ['--import', 'tsx', '--input-type=module', '-e', script]
  const parent = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(present(parent.stdout), 'data')
  const child = `/proc/${Number(printed)}`
  await vi.waitFor(() => expect(existsSync(child)).toBe(true))
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(existsSync(child)).toBe(false), 15_000)
})

test('keeps the process ID, the exit code and signals', async () => {
  const ending = spawn(...boundToParent('sh', ['-c', 'echo $$; exit 3']))
  const [[printed], [code]] = await Promise.all([once(ending.stdout, 'data'), once(ending, 'exit')])
  expect([Number(printed), code]).toEqual([ending.pid, 3])
  const running = spawn(...boundToParent('sleep', ['1000']))
  running.kill('SIGTERM')
  expect(await once(running, 'exit')).toEqual([null, 'SIGTERM'])
})
