import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryPages } from '../../adapters/testing/memory/pages.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import install from './install.ts'
import program from './program.ts'
import { installScript } from './script.ts'

test('200: returns a valid shell script that contains the service address', async () => {
  const { status, text, headers } = await call(install)
  expect([status, headers['content-type']]).toEqual([200, 'text/x-shellscript; charset=utf-8'])
  expect(text).toContain("'https://stacks.example.org'")
  expect(spawnSync('sh', ['-n'], { input: text }).status).toBe(0)
})

test('keeps the address inside its quotes', () => {
  const script = installScript("https://a'; touch /tmp/x; '")
  expect(script).toContain("'https://a; touch /tmp/x; '")
})

test('the script exits without root privileges or a token', () => {
  const input = installScript('http://127.0.0.1:9')
  const env = { PATH: process.env.PATH, AGENT_HOME: '/nowhere' }
  const { status, stderr } = spawnSync('sh', { input, env })
  expect([status, String(stderr)]).toEqual([1, expect.stringContaining('agent: ')])
})

test('systemd-analyze accepts the unit', () => {
  const unit = /<<UNIT\n([\s\S]*?)^UNIT$/m.exec(installScript('http://127.0.0.1:9'))?.[1] ?? ''
  const values = { node: process.execPath, home: '/opt/agent', data: '/var/lib/a', protect: 'true' }
  const filled = unit.replace(/\$(\w+)/g, (_whole, name) => values[name as keyof typeof values])
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-unit-'))
  try {
    const file = join(directory, 'container-stacks-agent.service')
    writeFileSync(file, filled)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { timeout: 15_000 })
    expect([status, String(stderr)]).toEqual([0, ''])
    writeFileSync(file, filled.replace('Restart=always', 'Restart=aways'))
    const wrong = spawnSync('systemd-analyze', ['verify', file], { timeout: 15_000 })
    expect(String(wrong.stderr)).toContain('restart specifier')
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('200, 304 and 404: serves the agent program', async () => {
  const page = { text: 'run()', contentType: 'text/javascript', etag: '"1"' }
  const ports = memoryPorts({ pages: memoryPages({ 'agent.mjs': page }) })
  const found = await call(program, { ports })
  expect([found.status, found.text]).toEqual([200, 'run()'])
  const again = await call(program, { ports, headers: { 'If-None-Match': '"1"' } })
  expect(again.status).toBe(304)
  expect((await call(program)).status).toBe(404)
})
