import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { readConfig } from '../config/config.ts'
import { fileAuthority } from '../keys/authority.ts'
import { keyFiles } from '../keys/key-files.ts'
import { systemClock } from '../process/clock.ts'
import { addresses } from './addresses.ts'
import { openAgents } from './agents.ts'

const headers = { host: 'stacks.example.org:8080' }

/** Returns the configuration and the agents of a process, which does not listen yet. */
async function processWith(env: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-addresses-'))
  const config = readConfig({ SERVICE_DATA_DIR: directory, ...env })
  const authority = fileAuthority(directory, systemClock)
  const agents = await openAgents(config, 'p1', {
    ...memoryPorts({ clock: systemClock }),
    authority,
    keys: keyFiles(directory),
  })
  onTestFinished(async () => {
    await agents.close()
    rmSync(directory, { recursive: true })
  })
  return { config, agents }
}

test('sends agents the port that was picked for them', async () => {
  const { config, agents } = await processWith({ SERVICE_AGENT_PORT: '0' })
  const port = await agents.listen()
  expect(port).toBeGreaterThan(0)
  expect(addresses(config, agents.port).agents(headers)).toBe(`stacks.example.org:${port}`)
})

test.each([
  [{}, 'stacks.example.org:8443'],
  [{ SERVICE_AGENT_PORT: '0' }, 'stacks.example.org:8443'],
  [{ SERVICE_AGENT_PORT: '9443' }, 'stacks.example.org:9443'],
  [{ SERVICE_AGENT_PORT: '0', SERVICE_AGENT_ENDPOINT: 'a:1' }, 'a:1'],
])(
  'a process that does not listen for agents tells the configured address: %j',
  async (env, address) => {
    const { config, agents } = await processWith(env)
    expect(addresses(config, agents.port).agents(headers)).toBe(address)
  },
)

test.each([
  [{ host: 'nas:8080' }, 'http://nas:8080'],
  [{ host: 'nas:8080', origin: 'http://nas:8080' }, 'http://nas:8080'],
  // A proxy terminates TLS. It sends `X-Forwarded-Proto`, or a page with an Origin reached it. Its
  // Host header may lack the port.
  [{ host: 'nas', 'x-forwarded-proto': 'https' }, 'https://nas'],
  [{ host: 'nas', 'x-forwarded-proto': 'https, http' }, 'https://nas'],
  [{ host: 'nas', 'x-forwarded-proto': 'http' }, 'http://nas'],
  [{ host: 'nas', origin: 'https://nas:8443' }, 'https://nas:8443'],
  [{ host: '127.0.0.1:8080', origin: 'https://[2001:db8::1]' }, 'https://[2001:db8::1]'],
  // No other text gets into a command that people run.
  [{ host: 'nas', origin: 'null' }, 'http://nas'],
  [{ host: 'nas', origin: "https://a'; id; '" }, 'http://nas'],
  [{ host: 'nas', origin: 'https://a/b' }, 'http://nas'],
  [{ host: 'nas', 'x-forwarded-proto': "https://a';" }, 'http://nas'],
  [{ host: '$(id)' }, `http://${hostname()}`],
  // Neither is an address: the end is a number too large for one, and so is the port.
  [{ host: 'nas:99999' }, `http://${hostname()}`],
  [{ host: 'nas', origin: 'https://nas.1' }, 'http://nas'],
])('the address of the service is that of a request, unless it is configured: %j', (sent, url) => {
  const config = readConfig({ SERVICE_DATA_DIR: '/nowhere' })
  const port = () => undefined
  expect(addresses(config, port).base(sent)).toBe(url)
  const set = { ...config, baseUrl: 'https://stacks.example.org/' }
  expect(addresses(set, port).base(sent)).toBe('https://stacks.example.org')
})
